import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DueMessage, LoadedBatch } from '../../../server/engine/dispatch/batches.ts';
import { FairQueue } from '../../../server/engine/dispatch/fair-queue.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { allFinal, mustSend, phone, phones, startNetwork, statuses } from '../../faults/support.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* Networks that answer late or never: how often a message goes out that nobody has acknowledged. */

/** A session without an answer for four times that is given up, which must not happen here on a busy machine. */
const RESPONSE_TIMEOUT_MS = 800;
const network = await startNetwork();
const { smsc } = network;
const { url, sql, clock, account, appContext } = await startDispatching(network, {
  window: 50,
  responseTimeoutMs: RESPONSE_TIMEOUT_MS,
});
const caller = await account('patient', 10_000);

/** Each message has one receipt, and none is on its way any more. */
const allAcknowledged = () => {
  const { accepted, deliveriesAcknowledged } = smsc.counts;
  return deliveriesAcknowledged >= accepted + receiptsByHand;
};
let receiptsByHand = 0;
const copiesOf = (to: string) => network.submits.filter((submit) => submit.to === to).length;

test('a network that answers later than the time-out gets every message once', async () => {
  const numbers = phones(0, 120);
  smsc.change({ answerDelayMs: 2 * RESPONSE_TIMEOUT_MS });
  await mustSend(url, caller, numbers);
  await waitFor('each was submitted', () => numbers.every((number) => network.taken.has(number)));
  await waitFor('each counts as submitted', async () => {
    const [row] = await sql<
      { open: number }[]
    >`SELECT count(*)::int AS open FROM messages WHERE handed_at IS NULL`;
    return row!.open === 0;
  });
  // Also when the time to try again has come.
  clock.advance(150_000);
  await allFinal(sql);
  smsc.change({ answerDelayMs: 0 });
  assert.deepEqual(
    numbers.filter((number) => copiesOf(number) !== 1),
    [],
  );
  assert.deepEqual(await statuses(sql, caller.id), { 102: numbers.length });
});

test('a message that is never acknowledged is sent twice, then ends as unknown and is not refunded', async () => {
  const silent = phone(1_000);
  const others = phones(1_001, 20);
  smsc.change({ answerDelayMs: ({ to }) => (to === silent ? Number.POSITIVE_INFINITY : 0) });
  const shipment = await mustSend(url, caller, [silent]);
  await waitFor('it waits for its second try', async () => {
    // Others are answered meanwhile, so that the session is not given up.
    await mustSend(url, caller, [others[0]!]);
    const [batch] = await sql<{ copies: number[] }[]>`
      SELECT copies FROM dispatch_batches WHERE copies IS NOT NULL`;
    return batch?.copies[0] === 1;
  });
  assert.equal(copiesOf(silent), 1);
  clock.advance(150_000);
  await waitFor('it is final', async () => {
    await mustSend(url, caller, [others[1]!]);
    const [row] = await sql<{ final: boolean }[]>`
      SELECT final_at IS NOT NULL AS final FROM messages WHERE shipment_id = ${shipment}`;
    return row!.final;
  });
  smsc.change({ answerDelayMs: 0 });
  assert.equal(copiesOf(silent), 2);
  const [message] = await sql<{ status: number; code: string }[]>`
    SELECT status, code FROM messages WHERE shipment_id = ${shipment}`;
  assert.deepEqual({ ...message }, { status: 105, code: 'CARRIER_SILENT' });
  const [wait] = await sql<{ reason: string; connector: string }[]>`
    SELECT w.reason, w.connector FROM waits w JOIN messages m ON m.account_id = w.account_id AND m.batch_id = w.subject_id
    WHERE m.shipment_id = ${shipment}`;
  assert.deepEqual({ ...wait }, { reason: 'unanswered', connector: 'smpp' });
  const [refund] = await sql`SELECT 1 FROM ledger WHERE shipment_id = ${shipment} AND kind = 'refund'`;
  assert.equal(refund, undefined);
});

test('a message without an answer is refunded if its price allows it', async () => {
  const [silent, charged] = [phone(1_100), phone(1_101)];
  await appContext.prices.set(caller.id, 'sms', silent, '3', true);
  smsc.change({
    answerDelayMs: ({ to }) => (to === silent || to === charged ? Number.POSITIVE_INFINITY : 0),
  });
  const shipments = [await mustSend(url, caller, [silent]), await mustSend(url, caller, [charged])];
  await waitFor('both end', async () => {
    // Others are answered, so that the session stays.
    await mustSend(url, caller, [phone(1_002)]);
    clock.advance(20_000);
    const [row] = await sql<{ open: number }[]>`
      SELECT count(*)::int AS open FROM messages
      WHERE shipment_id = ANY(${shipments.map(String)}::bigint[]) AND final_at IS NULL`;
    return row!.open === 0;
  });
  smsc.change({ answerDelayMs: 0 });
  assert.deepEqual([copiesOf(silent), copiesOf(charged)], [2, 2]);
  const messages = await sql<{ recipient: string; status: number }[]>`
    SELECT recipient, status FROM messages WHERE shipment_id = ANY(${shipments.map(String)}::bigint[]) ORDER BY recipient`;
  assert.deepEqual(
    messages.map((message) => ({ ...message })),
    [
      { recipient: silent, status: 105 },
      { recipient: charged, status: 105 },
    ],
  );
  const refunds = await sql<{ shipment_id: number; amount: string }[]>`
    SELECT shipment_id, amount FROM ledger
    WHERE shipment_id = ANY(${shipments.map(String)}::bigint[]) AND kind = 'refund'`;
  assert.deepEqual(
    refunds.map(({ shipment_id, amount }) => [shipment_id, Number(amount)]),
    [[shipments[0], 3]],
  );
  await assertBooksBalance(sql);
});

test('receipts that contradict each other: the first one stays, also when it came before the answer', async () => {
  // Receipts of the tests before, which nobody answered, are counted too.
  await waitFor('all receipts are acknowledged', allAcknowledged);
  smsc.change({ earlyReceipts: true, answerDelayMs: 200 });
  const number = phone(2_000);
  const shipment = await mustSend(url, caller, [number]);
  // By its number: an early receipt of the tests before may be removed meanwhile.
  await waitFor('the receipt is kept', async () => {
    const kept = await sql`SELECT FROM early_receipts WHERE destination = ${number}`;
    return kept.length === 1;
  });
  const { id } = await waitFor('it was submitted', () => network.submits.findLast(({ to }) => to === number));
  await waitFor('it counts as submitted', async () => {
    const [row] = await sql<{ handed: boolean }[]>`
      SELECT handed_at IS NOT NULL AS handed FROM messages WHERE shipment_id = ${shipment}`;
    return row!.handed;
  });
  smsc.change({ earlyReceipts: false, answerDelayMs: 0 });
  receiptsByHand++;
  smsc.sendReceipt('carillon', { id: String(id), from: 'Carillon', to: number, stat: 'UNDELIV' });
  await waitFor('the second receipt is acknowledged', allAcknowledged);
  const [message] = await sql<
    { status: number }[]
  >`SELECT status FROM messages WHERE shipment_id = ${shipment}`;
  assert.equal(message!.status, 102);
  await waitFor('it is not kept any more', async () => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM early_receipts WHERE destination = ${number}`;
    return row!.count === 0;
  });
});

/** A batch with messages that are only an id. */
function batchOf(ids: readonly number[]): LoadedBatch {
  const batch = { accountId: 1, lane: lanes.bulk, messages: [] as DueMessage[] } as unknown as LoadedBatch;
  batch.messages = ids.map((id) => ({ id, accountId: 1, batch, copies: 0 }) as unknown as DueMessage);
  return batch;
}

test('a connection that is lost after each message brings each message before it brings one twice', () => {
  const queue = new FairQueue();
  queue.add(batchOf([1, 2, 3, 4]));
  const submitted: number[] = [];
  for (let session = 0; session < 8; session++) {
    const message = queue.take()!;
    submitted.push(message.id);
    message.copies++;
    queue.giveBack(message);
  }
  assert.deepEqual(submitted, [1, 2, 3, 4, 1, 2, 3, 4]);
});

test('returned messages are sent first, in the order in which they were taken', () => {
  const queue = new FairQueue();
  queue.add(batchOf([1, 2, 3, 4, 5]));
  const taken = [queue.take()!, queue.take()!, queue.take()!];
  for (const message of taken) queue.giveBack(message);
  assert.deepEqual(
    Array.from({ length: 5 }, () => queue.take()!.id),
    [1, 2, 3, 4, 5],
  );
});
