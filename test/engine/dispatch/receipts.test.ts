import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { type IdSpelling, spellId } from '../../../server/sandbox/smsc/options.ts';
import { covers } from '../../conformance/covers.ts';
import {
  allFinal,
  type Caller,
  mustSend,
  phone,
  phones,
  startNetwork,
  statuses,
} from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* Receipts as networks bring them: again, too early, in any order, for nobody, and with ids in another form. */

const network = await startNetwork();
const { smsc } = network;
const database = await createDatabase();
const { sql } = database;
const first = await startDispatching(network, { name: 'plain' }, database);
const caller: Caller & { id: number } = await first.account('reported', 10_000);

/** A phone whose messages get no receipt by themselves. */
const silent = (n: number) => String(972_500_000_000 + n * 10_000 + 4);

const statusOf = async (shipment: number) => {
  const [row] = await sql<{ status: number; handed: boolean }[]>`
    SELECT status, handed_at IS NOT NULL AS handed FROM messages WHERE shipment_id = ${shipment}`;
  return row!;
};

async function submitted(shipment: number): Promise<void> {
  await waitFor('it is handed over', async () => (await statusOf(shipment)).handed);
}

async function acknowledged(): Promise<void> {
  await waitFor('every receipt is acknowledged', () => {
    const { deliveriesSent, deliveriesAcknowledged } = smsc.counts;
    return smsc.waitingDeliveries === 0 && deliveriesSent === deliveriesAcknowledged;
  });
}

async function waitingEarly(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM early_receipts`;
  return row!.count;
}

const unmatched = async (outcome: string) => {
  const metric = await metrics.getSingleMetric('carillon_receipts_unmatched_total')!.get();
  return metric.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

test('three times, and in the opposite order: each message is delivered, and counted once', async () => {
  smsc.change({ receiptCopies: 3, reversedReceipts: true, receiptDelayMs: 50 });
  await mustSend(first.url, caller, phones(0, 300));
  await allFinal(sql);
  await acknowledged();
  smsc.change({ receiptCopies: 1, reversedReceipts: false, receiptDelayMs: 20 });
  assert.deepEqual(await statuses(sql), { 102: 300 });
});

test('a receipt before the answer to submit is kept, and applied when the message is found', async () => {
  smsc.change({ earlyReceipts: true, answerDelayMs: 2_000 });
  const shipment = await mustSend(first.url, caller, [phone(1_000)]);
  await waitFor('the receipt is kept', async () => (await waitingEarly()) === 1);
  await acknowledged();
  assert.equal((await statusOf(shipment)).handed, false);
  await submitted(shipment);
  smsc.change({ earlyReceipts: false, answerDelayMs: 0 });
  first.clock.advance(2_000);
  await allFinal(sql);
  assert.equal((await statusOf(shipment)).status, 102);
  await waitFor('nothing is kept any more', async () => (await waitingEarly()) === 0);
});

test('a receipt for an unknown id is acknowledged, looked up again, and discarded in the end', async () => {
  const lost = await unmatched('lost');
  smsc.sendReceipt('carillon', { id: '31415926', from: 'Carillon', to: phone(2_000), stat: 'DELIVRD' });
  await waitFor('the receipt is kept', async () => (await waitingEarly()) === 1);
  await acknowledged();
  // The last of the pauses is two hours.
  for (let look = 1; look <= 8; look++) {
    first.clock.advance(2 * 3_600_000);
    await waitFor('it is looked for again', async () => {
      const [row] = await sql<{ attempt: number }[]>`SELECT max(attempt) AS attempt FROM early_receipts`;
      return (row?.attempt ?? look) >= look;
    });
  }
  await waitFor('it is given up', async () => (await unmatched('lost')) === lost + 1);
  await waitFor('nothing is kept any more', async () => (await waitingEarly()) === 0);
});

test(
  'a final status is never overwritten, and one that is not final says nothing yet',
  covers('delivery.final'),
  async () => {
    const shipment = await mustSend(first.url, caller, [silent(1)]);
    await submitted(shipment);
    const id = String(network.submits.at(-1)!.id);
    const receipt = async (stat: string) => {
      smsc.sendReceipt('carillon', { id, from: 'Carillon', to: silent(1), stat });
      await acknowledged();
      return (await statusOf(shipment)).status;
    };
    assert.equal(await receipt('ENROUTE'), -1);
    assert.equal(await receipt('UNDELIV'), 101);
    assert.equal(await receipt('DELIVRD'), 101);
  },
);

test(
  'of a long message, last part first: delivered when all parts are',
  covers('delivery.parts'),
  async () => {
    const shipment = await mustSend(first.url, caller, [silent(2)], { message: 'x'.repeat(400) });
    await submitted(shipment);
    const parts = network.submits.filter(({ to }) => to === silent(2));
    assert.equal(parts.length, 3);
    const seen: number[] = [];
    for (const { id } of parts.reverse()) {
      smsc.sendReceipt('carillon', { id: String(id), from: 'Carillon', to: silent(2), stat: 'DELIVRD' });
      await acknowledged();
      seen.push((await statusOf(shipment)).status);
    }
    assert.deepEqual(seen, [-1, -1, 102]);
    await first.stop();
  },
);

const forms: [answer: IdSpelling, receipt: IdSpelling, form: string][] = [
  ['hex', 'decimal', 'decimal-to-hex'],
  ['decimal', 'upper-hex', 'hex-to-decimal'],
  ['padded-hex', 'decimal', 'decimal-to-hex'],
  ['upper-hex', 'padded-hex', 'same'],
  ['decimal', 'padded-decimal', 'same'],
];

for (const [index, [answerIds, receiptIds, form]] of forms.entries()) {
  test(`ids answered as ${answerIds} and reported as ${receiptIds}: found out, and known after a restart`, async () => {
    smsc.change({ answerIds, receiptIds });
    const connector = { name: `connector-${index}` };
    const before = await startDispatching(network, connector, database);
    await mustSend(before.url, caller, phones(10_000 + index * 100, 20));
    await allFinal(sql);
    await waitFor('the form is remembered', async () => {
      const [row] = await sql`SELECT id_form FROM links WHERE name = ${connector.name}`;
      return row!.id_form === form;
    });
    await before.stop();

    const after = await startDispatching(network, connector, database);
    const shipment = await mustSend(after.url, caller, [silent(10 + index)]);
    await submitted(shipment);
    const id = spellId(network.submits.at(-1)!.id, receiptIds);
    // Only one who knows the form believes a receipt that names another number than the message.
    smsc.sendReceipt('carillon', { id, from: 'Carillon', to: '4479', stat: 'DELIVRD' });
    await waitFor('it is delivered', async () => (await statusOf(shipment)).status === 102);
    await after.stop();
  });
}
