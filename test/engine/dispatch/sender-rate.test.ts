import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allFinal, assertPaid, mustSend, phones, startNetwork, statuses } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* A campaign of a sender that is over the rate of a connector, beside messages of other senders. */

const network = await startNetwork();
const { url, sql, clock, account } = await startDispatching(network, {
  senderMessagesPerSecond: 100,
  window: 60,
});

test('the campaign waits in the queue, others pass, and nothing is lost or sent twice', async () => {
  const sender = await account('sender', 1_000);
  await mustSend(url, sender, phones(1, 200));
  await waitFor('messages are deferred', async () => {
    const [row] = await sql`SELECT FROM messages WHERE code = 'SENDER_RATE' LIMIT 1`;
    return row !== undefined;
  });
  const others = phones(1_000, 5);
  for (const to of others) await mustSend(url, sender, [to], { source: 'Other' });
  await waitFor('others are out', () => others.every((to) => network.taken.has(to)));
  assert.ok(network.taken.size < 200, 'before the campaign');

  await waitFor('only later turns are left', async () => {
    const [row] = await sql<{ count: number; attempts: number }[]>`
      SELECT coalesce(sum(count), 0)::int AS count, coalesce(max(attempt), 0) AS attempts FROM dispatch_batches
      WHERE due_at > ${clock.now()} AND account_id = ${sender.id}`;
    return row!.count > 0 && row!.count + network.taken.size === 205 && row;
  });
  // A deferral is no attempt, so the pauses of retries do not grow.
  const attempts = await sql`SELECT FROM dispatch_batches WHERE attempt > 0`;
  assert.equal(attempts.length, 0);
  // The rate counts by the clock of the machine: those that return early are deferred again.
  for (let round = 0; network.taken.size < 205; round++) {
    assert.ok(round < 50, `${network.taken.size} are out`);
    clock.advance(15_000);
    const wanted = Math.min(205, network.taken.size + 20);
    await waitFor('more are out', () => network.taken.size >= wanted, 1_000).catch(() => {});
  }
  await allFinal(sql);
  assert.deepEqual(await statuses(sql), { 102: 205 });
  assert.equal(network.duplicates(), 0);
  await assertPaid(sql, sender.id, 1_000, 205);
});
