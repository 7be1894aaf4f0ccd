import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../../../server/kit/observability/metrics.ts';
import { allFinal, call, mustSend, phone, phones, startNetwork } from '../../../faults/support.ts';
import { createDatabase } from '../../../support/database.ts';
import { SocketProxy } from '../../../support/socket-proxy.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { startDispatching } from '../support.ts';

/*
 * Two services on one database: the first holds the connector, and the second hands accepted messages over to it, through
 * a proxy before the socket of the first.
 */

const SETTINGS = { COPY_PAUSE_SECONDS: '0' };
const database = await createDatabase();
const { sql } = database;
const network = await startNetwork();
const options = { responseTimeoutMs: 600_000, window: 4 };
const first = await startDispatching(network, options, database, SETTINGS);
const { boot } = first.appContext.process;
const [row] = await sql<{ path: string }[]>`SELECT peer_socket AS path FROM processes WHERE boot = ${boot}`;
const proxy = await SocketProxy.start(row!.path);
await sql`UPDATE processes SET peer_socket = ${proxy.path} WHERE boot = ${boot}`;
const second = await startDispatching(network, options, database, SETTINGS);
const accounts = await Promise.all(['one', 'two', 'three'].map((name) => second.account(name, 1_000)));
const [account] = accounts;

async function metricOf(name: string, direction?: string): Promise<number> {
  const { values } = await metrics.getSingleMetric(name)!.get();
  const mine = values.filter(({ labels }) => (labels as { direction?: string }).direction === direction);
  return mine.reduce((sum, { value }) => sum + value, 0);
}

const connected = () =>
  waitFor('both are connected', async () => (await metricOf('carillon_peer_connections', 'to')) === 2);

/** Sends a message to the phone by the second service. Returns its shipment. */
const sendBySecond = (n: number, caller = account!) => mustSend(second.url, caller, [phone(n)]);

let probes = 0;
/** Waits until the second service hands messages over: the first one has its connector again, and has told so. */
const handsOver = () =>
  waitFor('a message is handed over', async () => {
    const before = await metricOf('carillon_peer_messages_total', 'to');
    await sendBySecond(1_000 + probes++);
    await allFinal(sql);
    return (await metricOf('carillon_peer_messages_total', 'to')) > before;
  });

interface Batch {
  readonly owner: string | null;
  /** Whether the row is as the transaction of the message has written it. */
  readonly asStored: boolean;
}

const batchOf = async (shipmentId: number): Promise<Batch | undefined> => {
  const [batch] = await sql<Batch[]>`
    SELECT b.lease_owner AS owner, b.xmin = m.xmin AS "asStored"
    FROM dispatch_batches b JOIN messages m ON m.account_id = b.account_id AND m.batch_id = b.id
    WHERE m.shipment_id = ${shipmentId}`;
  return batch;
};

const endOf = (shipmentId: number) =>
  waitFor('its batch has ended', async () => (await batchOf(shipmentId)) === undefined);

/** Ends the lease of the batches of a shipment, as half a minute would. */
const endLease = (shipmentId: number) => sql`
  UPDATE dispatch_batches SET lease_until = 1
  WHERE id IN (SELECT batch_id FROM messages WHERE shipment_id = ${shipmentId})`;

/** Lets the carrier answer nothing while `work` runs, and everything afterwards. */
async function withSilentCarrier(work: () => Promise<void>): Promise<void> {
  network.smsc.change({ answerDelayMs: Number.POSITIVE_INFINITY });
  try {
    await work();
  } finally {
    network.smsc.change({ answerDelayMs: 0 });
    // Messages without an answer are sent again on a new connection.
    await network.smsc.close();
    await network.smsc.listen(network.port);
  }
  await allFinal(sql);
}

test('messages that one process accepts are sent by the holder of the connector without a claim', async () => {
  await connected();
  await handsOver();
  const before = await metricOf('carillon_peer_messages_total', 'from');
  await withSilentCarrier(async () => {
    const shipments = await Promise.all(accounts.map((caller, index) => sendBySecond(index, caller)));
    await waitFor('all are submitted', () => phones(0, 3).every((number) => network.taken.has(number)));
    assert.deepEqual(
      await Promise.all(shipments.map(batchOf)),
      shipments.map(() => ({ owner: boot, asStored: true })),
    );
  });
  assert.equal((await metricOf('carillon_peer_messages_total', 'from')) - before, 3);
  assert.equal(
    await metricOf('carillon_peer_messages_total', 'to'),
    await metricOf('carillon_peer_messages_total', 'from'),
  );
});

test('a message that waits at another process and is cancelled is not sent', async () => {
  await handsOver();
  await withSilentCarrier(async () => {
    // They fill the window.
    await Promise.all(phones(10, 4).map((_, index) => sendBySecond(10 + index)));
    await waitFor('the window is full', () => phones(10, 4).every((number) => network.taken.has(number)));
    const shipment = await sendBySecond(14);
    assert.equal((await batchOf(shipment))?.owner, boot);
    const answer = await call(second.url, account!, 'cancel', { campaign_id: shipment });
    assert.equal(answer.status, 0, answer.message);
    await endOf(shipment);
  });
  assert.ok(!network.taken.has(phone(14)));
});

test('a message that arrives after its cancellation is not sent', async () => {
  await handsOver();
  proxy.hold();
  const shipment = await sendBySecond(20);
  await waitFor('it is on its way', () => proxy.held > 0);
  const answer = await call(first.url, account!, 'cancel', { campaign_id: shipment });
  assert.equal(answer.status, 0, answer.message);
  assert.equal((await batchOf(shipment))?.owner, boot);
  proxy.resume();
  await endOf(shipment);
  assert.ok(!network.taken.has(phone(20)));
});

test('the holder reads a bulk from the database, after a hint', async () => {
  const before = await metricOf('carillon_peer_messages_total', 'to');
  await mustSend(second.url, account!, phones(100, 50));
  await allFinal(sql);
  assert.ok(phones(100, 50).every((number) => network.taken.get(number) === 1));
  assert.equal(await metricOf('carillon_peer_messages_total', 'to'), before);
});

test('a message whose frame is cut is sent once, when its lease ends', async () => {
  await handsOver();
  proxy.cut(20);
  const shipment = await sendBySecond(30);
  await waitFor(
    'the connection is lost',
    async () => (await metricOf('carillon_peer_connections', 'to')) === 1,
  );
  assert.deepEqual(await batchOf(shipment), { owner: boot, asStored: true });
  await endLease(shipment);
  await allFinal(sql);
  assert.equal(network.taken.get(phone(30)), 1);
  await connected();
});

test('a lease for a process whose connection is lost before the commit is released', async () => {
  await handsOver();
  const before = await metricOf('carillon_peer_messages_returned_total');
  let sent: Promise<number> | undefined;
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE dispatch_batches IN SHARE MODE`;
    sent = sendBySecond(40);
    await waitFor('its transaction waits', async () => {
      const rows = await sql`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'carillon' AND wait_event_type = 'Lock'`;
      return rows.length > 0;
    });
    proxy.cut();
    await waitFor(
      'the connection is lost',
      async () => (await metricOf('carillon_peer_connections', 'to')) === 1,
    );
  });
  await sent;
  await allFinal(sql);
  assert.equal(network.taken.get(phone(40)), 1);
  assert.equal((await metricOf('carillon_peer_messages_returned_total')) - before, 1);
  await connected();
});

test('a holder that stops takes what is on its way, and the next holder sends all of it once', async () => {
  const sending = Array.from({ length: 40 }, (_, index) => sendBySecond(50 + index));
  await sending[0];
  await first.stop();
  await Promise.all(sending);
  await allFinal(sql);
  assert.deepEqual(
    phones(50, 40).map((number) => network.taken.get(number)),
    phones(50, 40).map(() => 1),
  );
});
