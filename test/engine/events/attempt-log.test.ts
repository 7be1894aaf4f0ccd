import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addAccount, record, startEvents, startReceiver, statusEvent, upTo } from './support.ts';

/* Recorded attempts: their time, duration and answer, within the limits. */

const { sql } = await createDatabase();
const events = await startEvents(sql);

async function newEndpoint(accountId: number) {
  await addAccount(sql, accountId);
  const receiver = await startReceiver();
  const endpoint = await events.endpoints.register({ accountId, kind: 'webhook', url: receiver.url });
  return { receiver, endpoint };
}

const keyOf = ({ headers }: { readonly headers: object }) =>
  String((headers as Record<string, unknown>)['webhook-id']);

test('a first attempt is recorded with its answer, and each later one', async () => {
  const { receiver, endpoint } = await newEndpoint(1);
  receiver.answer = (response) => response.writeHead(202).end('queued');
  await record(sql, events, 1, [statusEvent(1, Date.now())]);
  await waitFor('the request', () => receiver.received.length === 1);
  const key = keyOf(receiver.received[0]!);
  const recorded = (count: number) =>
    waitFor(`${count} attempts`, async () => {
      const attempts = (await events.attempts.of(1, [key]))(key, endpoint.id);
      return attempts.length === count && attempts;
    });
  const [first] = await recorded(1);
  assert.deepEqual([first!.status, first!.error, first!.answer], [202, null, 'queued']);
  assert.ok(first!.duration > 0);
  assert.ok(Math.abs(first!.at - Date.now()) < 60_000);

  receiver.answer = (response) => response.writeHead(503).end('later\0');
  await events.replayEvent(1, endpoint.id, key);
  const [second, same] = await recorded(2);
  assert.deepEqual([second!.status, second!.error, second!.answer], [503, 'answered 503', 'later']);
  assert.deepEqual(same, first);
});

test('an attempt without a response has its error', async () => {
  const { receiver, endpoint } = await newEndpoint(2);
  await receiver.close();
  await record(sql, events, 2, [statusEvent(1, Date.now())]);
  const [row] = await waitFor('the attempt', async () => {
    const rows = await sql<
      { endpoint_id: number; http_status: number | null; error: string; answer: null }[]
    >`
      SELECT endpoint_id, http_status, error, answer FROM webhook_attempts WHERE account_id = 2`;
    return rows.length > 0 && rows;
  });
  assert.deepEqual([row!.endpoint_id, row!.http_status, row!.answer], [endpoint.id, null, null]);
  assert.match(row!.error, /ECONNREFUSED/);
});

test('at most ten attempts of an endpoint are recorded per second', async () => {
  const { receiver } = await newEndpoint(3);
  await record(
    sql,
    events,
    3,
    upTo(300).map((n) => statusEvent(n, Date.now())),
  );
  await waitFor('all requests', () => receiver.received.length === 300);
  const count = async () => (await sql`SELECT 1 FROM webhook_attempts WHERE account_id = 3`).length;
  await waitFor('some attempts', async () => (await count()) > 0);
  const written = await count();
  // The 300 requests may take longer than a second on a busy machine.
  assert.ok(written >= 10 && written < 300, `${written} attempts`);
});

test('waiting attempts are written when the process stops', async () => {
  const other = await startEvents(sql, undefined, { deliver: true });
  const attempt = { accountId: 1, endpointId: 5, duration: 1_000, status: 200, error: null, answer: null };
  other.attempts.add({ ...attempt, eventKey: 'evt_1_0' });
  await other.stop(0);
  assert.equal((await sql`SELECT 1 FROM webhook_attempts WHERE event_key = 'evt_1_0'`).length, 1);
});
