import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smppErrors } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { allFinal, assertPaid, mustSend, phone, startNetwork, statuses } from '../../faults/support.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* What the network answers to submit_sm, and the outcome of the message and of its price. */

const CREDITS = 10_000;
const HOUR = 3_600_000;
/** What to answer to a message to this number, until it is taken out. */
const answers = new Map<string, number>();
const tries = new Map<string, number>();
const network = await startNetwork({
  answerStatus({ to }) {
    tries.set(to, (tries.get(to) ?? 0) + 1);
    return answers.get(to);
  },
});
const { url, sql, clock, account } = await startDispatching(network, { window: 50 });

async function retry({ token }: { token: string }, id: number) {
  const response = await fetch(`${url}/v1/messages/${id}/retry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    status: response.status,
    body: (await response.json()) as { waiting?: { attempts: number } | null },
  };
}

interface Row {
  phone: string;
  status: number;
  code: string | null;
  final: boolean;
}

const rows = (accountId: number) => sql<Row[]>`
  SELECT recipient AS phone, status, code, final_at IS NOT NULL AS final FROM messages WHERE account_id = ${accountId}`;

test(
  'every error code: refusals are final and refunded, temporary errors are retried',
  covers('delivery.submit'),
  async () => {
    const caller = await account('codes', CREDITS);
    const throttled = 0x58;
    const unknown = [0x0400, 0x04ff, 0x2345];
    const cases = [
      ...[...smppErrors].map(([code, { name, meaning }]) => ({ code, name: name as string, meaning })),
      ...unknown.map((code) => ({
        code,
        name: `0x${code.toString(16).padStart(8, '0')}`,
        meaning: { kind: 'refused', status: 101 } as const,
      })),
    ]
      .filter(({ code }) => code !== 0 && code !== throttled)
      .map((entry) => ({ ...entry, to: phone(entry.code) }));
    const retried = cases.filter(({ meaning }) => meaning.kind === 'retry');
    for (const { to, code } of cases) answers.set(to, code);
    await mustSend(
      url,
      caller,
      cases.map(({ to }) => to),
    );
    // The batch has ended, and a new one waits for those to be tried again.
    await waitFor('the second attempts wait', async () => {
      const [batch] = await sql<{ attempt: number; count: number }[]>`
      SELECT attempt, count FROM dispatch_batches WHERE account_id = ${caller.id}`;
      return batch?.attempt === 1 && batch.count === retried.length;
    });

    const first = new Map((await rows(caller.id)).map((row) => [row.phone, row]));
    for (const { to, name, meaning } of cases) {
      const { status, code, final } = first.get(to)!;
      const expected = meaning.kind === 'refused' ? [meaning.status, name, true] : [-1, name, false];
      assert.deepEqual([status, code, final], expected, name);
      assert.ok(meaning.kind === 'retry' || status === 101 || status === 108);
    }
    await assertPaid(sql, caller.id, CREDITS, retried.length);

    for (const { to } of retried) answers.delete(to);
    assert.ok(retried.every(({ to }) => tries.get(to) === 1));
    clock.advance(6_000);
    await allFinal(sql);
    assert.ok(retried.every(({ to }) => tries.get(to) === 2 && network.taken.get(to) === 1));
    assert.ok(cases.every(({ to, meaning }) => meaning.kind === 'retry' || tries.get(to) === 1));
    const counts = await statuses(sql, caller.id);
    assert.equal(counts[102], retried.length);
    await assertPaid(sql, caller.id, CREDITS, retried.length);
  },
);

test(
  'the pauses between attempts grow, and a message expires with a refund after its validity period',
  covers('credit.not taken'),
  async () => {
    const caller = await account('patient', CREDITS);
    const to = phone(100_000);
    answers.set(to, 0x14);
    await mustSend(url, caller, [to]);
    const pauses = [5, 15, 60, 120].map((seconds) => seconds * 1_000);
    for (const [index, pause] of pauses.entries()) {
      const batch = await waitFor('the next attempt waits', async () => {
        const [row] = await sql<{ attempt: number; due_at: number }[]>`
        SELECT attempt, due_at FROM dispatch_batches WHERE account_id = ${caller.id}`;
        return row?.attempt === index + 1 && row;
      });
      const { due_at: dueAt } = batch as { due_at: number };
      const wait = dueAt - clock.now();
      assert.ok(wait > pause * 0.9 - 5_000 && wait <= pause * 1.1, `pause ${index}: ${wait} ms`);
      assert.equal(tries.get(to), index + 1);
      if (index < pauses.length - 1) clock.advance(Math.max(0, wait));
    }
    const [waiting] = await sql<{ id: number; due: number }[]>`
      SELECT m.id, b.due_at AS due FROM messages m JOIN dispatch_batches b USING (account_id)
      WHERE m.account_id = ${caller.id}`;
    const now = await retry(caller, waiting!.id);
    assert.deepEqual([now.status, now.body.waiting!.attempts], [200, pauses.length]);
    await waitFor('it is tried at once', () => tries.get(to) === pauses.length + 1);
    assert.ok(clock.now() < waiting!.due, 'before its time');
    clock.advance(48 * HOUR);
    await allFinal(sql);
    assert.deepEqual(await statuses(sql, caller.id), { 103: 1 });
    assert.equal(network.taken.has(to), false);
    assert.equal((await retry(caller, waiting!.id)).status, 409);
    await assertPaid(sql, caller.id, CREDITS, 0);
  },
);

test(
  'one refused part of a long message fails the message once, with a refund',
  covers('delivery.parts'),
  async () => {
    const caller = await account('long', CREDITS);
    const to = phone(300_000);
    network.smsc.change({
      answerStatus: (submit) => (submit.to === to && submit.text.startsWith('b') ? 0x0b : undefined),
    });
    const text = 'a'.repeat(153) + 'b'.repeat(153) + 'c'.repeat(20);
    await mustSend(url, caller, [to], { message: text });
    await allFinal(sql);
    assert.deepEqual(await statuses(sql, caller.id), { 101: 1 });
    await assertPaid(sql, caller.id, CREDITS, 0);
    await assertBooksBalance(sql);
  },
);

test('a lease that has run out unnoticed: what this process has in its hands is not taken twice', async () => {
  const caller = await account('asleep', CREDITS);
  network.smsc.change({ answerStatus: null, answerDelayMs: 20 });
  const to = Array.from({ length: 1_200 }, (_, n) => phone(400_000 + n));
  const before = network.submits.length;
  await mustSend(url, caller, to);
  await waitFor('it is under way', () => network.submits.length > before);
  clock.advance(60_000);
  await allFinal(sql);
  assert.equal(network.submits.length - before, to.length);
  assert.deepEqual(await statuses(sql, caller.id), { 102: to.length });
});

test('throttled: the connector slows down and brings everything, each message once', async () => {
  const caller = await account('hasty', CREDITS);
  const before = network.smsc.counts.throttled;
  network.smsc.change({ messagesPerSecond: 50 });
  const to = Array.from({ length: 200 }, (_, n) => phone(200_000 + n));
  await mustSend(url, caller, to);
  await allFinal(sql);
  network.smsc.change({ messagesPerSecond: 0 });
  assert.ok(network.smsc.counts.throttled > before);
  assert.deepEqual(
    to.filter((number) => network.taken.get(number) !== 1),
    [],
  );
  assert.deepEqual(await statuses(sql, caller.id), { 102: to.length });
});
