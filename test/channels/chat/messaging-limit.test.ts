import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import { covers } from '../../conformance/covers.ts';
import { assertProblem, createChatBench, DAY, HOUR, MINUTE, newClient, newClients } from './admissions.ts';

/** The messaging limit of a portfolio (interface, "Limits"): unique clients outside their window, moving 24 hours. */
const bench = await createChatBench();
const { clock, sql } = bench;
const TIER = 250;

const minuteOf = (time: number) => Math.floor(time / MINUTE);

/** A business number whose portfolio has written first to all but `free` of the clients that it may. */
async function nearlyFull(free: number): Promise<ChatNumber> {
  const number = await bench.newNumber();
  const admissions = await bench.admitted(number, newClients(TIER - free));
  assert.ok(admissions.every(({ problem }) => problem === null));
  return number;
}

/** Clients that count now, and a check that the minutes have as many as the clients that are in them. */
async function counted({ accountId, portfolioId }: ChatNumber): Promise<number> {
  const before = minuteOf(clock.now()) - 1440;
  const minutes = await sql<{ minute: number; clients: number; reached: number }[]>`
    SELECT minute, coalesce(sum(clients), 0)::int AS clients, count(client)::int AS reached FROM (
      SELECT minute, clients, NULL AS client FROM chat_reach
      WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId}
      UNION ALL
      SELECT minute, NULL, client FROM chat_reached
      WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId}
    ) every WHERE minute > ${before} GROUP BY minute`;
  for (const { minute, clients, reached } of minutes) assert.equal(clients, reached, `minute ${minute}`);
  return minutes.reduce((sum, { clients }) => sum + clients, 0);
}

test(
  'as many new clients as the tier has, and not one more',
  covers('windows.tier', 'chatLimits.tier'),
  async () => {
    const number = await nearlyFull(2);
    assertProblem(await bench.admitOne(number, newClient()), null);
    assertProblem(await bench.admitOne(number, newClient()), null);
    assertProblem(await bench.admitOne(number, newClient()), 'tier-reached');
    assert.equal(await counted(number), TIER);
  },
);

test('of a step the first get the places that are left, in their order', async () => {
  const number = await nearlyFull(3);
  const clients = newClients(6).reverse();
  const admissions = await bench.admitted(number, clients);
  assert.deepEqual(
    admissions.map(({ client, problem }) => [client, problem]),
    clients.map((client, index) => [client, index < 3 ? null : 'tier-reached']),
  );
});

test('one who is refused for the tier is not charged, and not written to', async () => {
  const number = await nearlyFull(0);
  const client = newClient();
  assertProblem(await bench.admitOne(number, client), 'tier-reached');
  assert.deepEqual(await bench.window(number, client), {
    client,
    clientAt: null,
    conversationAt: null,
    unanswered: 0,
    templateAt: null,
  });
});

test(
  'a client takes one place regardless of the number of messages, and can be written to when all places are taken',
  covers('windows.tier'),
  async () => {
    const number = await nearlyFull(1);
    const client = newClient();
    assertProblem(await bench.admitOne(number, client), null);
    clock.advance(HOUR);
    assertProblem(await bench.admitOne(number, client), null);
    assertProblem(await bench.admitOne(number, newClient()), 'tier-reached');
    assert.equal(await counted(number), TIER);
  },
);

test(
  'one who wrote within 24 hours takes no place, and one whose window is over does',
  covers('windows.tier'),
  async () => {
    const number = await nearlyFull(0);
    const client = newClient();
    const at = clock.now();
    await bench.writes(number, client, at);
    assertProblem(await bench.admitOne(number, client, { kind: 'buttons' }), null);
    assertProblem(await bench.admitOne(number, client, { now: at + DAY - 1 }), null);
    assert.equal(await counted(number), TIER);
    const late = newClient();
    await bench.writes(number, late, at - DAY);
    assertProblem(await bench.admitOne(number, late, { now: at - 1 }), null);
    assertProblem(await bench.admitOne(number, late, { now: at }), 'tier-reached');
  },
);

test(
  'numbers of a portfolio share its places, other portfolios have their own',
  covers('windows.tier'),
  async () => {
    const number = await nearlyFull(1);
    const beside = await bench.newNumber(undefined, number);
    const elsewhere = await bench.newNumber(number.accountId);
    const client = newClient();
    assertProblem(await bench.admitOne(number, client), null);
    assertProblem(await bench.admitOne(beside, client), null);
    assertProblem(await bench.admitOne(beside, newClient()), 'tier-reached');
    assertProblem(await bench.admitOne(elsewhere, newClient()), null);
  },
);

test(
  'a place is free 1,440 minutes after the minute in which it was taken',
  covers('windows.tier'),
  async () => {
    const number = await nearlyFull(1);
    const full = clock.now();
    clock.advance(10 * MINUTE);
    assertProblem(await bench.admitOne(number, newClient()), null);
    const again = minuteOf(full) * MINUTE + DAY;
    assertProblem(await bench.admitOne(number, newClient(), { now: again - 1 }), 'tier-reached');
    const admissions = await bench.admitted(number, newClients(TIER), { now: again });
    // All but the one of ten minutes later.
    assert.equal(admissions.filter(({ problem }) => problem === null).length, TIER - 1);
    assertProblem(
      await bench.admitOne(number, newClient(), { now: again + 10 * MINUTE - 1 }),
      'tier-reached',
    );
    assertProblem(await bench.admitOne(number, newClient(), { now: again + 10 * MINUTE }), null);
  },
);

test('one who is written to again moves to the new minute', async () => {
  const number = await nearlyFull(1);
  const client = newClient();
  const at = clock.now();
  assertProblem(await bench.admitOne(number, client), null);
  assertProblem(await bench.admitOne(number, client, { now: at + MINUTE }), null);
  const end = minuteOf(at) * MINUTE + DAY;
  // Their place of a minute later is still theirs when the others' are free.
  const admissions = await bench.admitted(number, newClients(TIER), { now: end });
  assert.equal(admissions.filter(({ problem }) => problem === null).length, TIER - 1);
  const rows = await sql<{ minute: number }[]>`SELECT minute FROM chat_reached WHERE client = ${client}`;
  assert.deepEqual(
    rows.map(({ minute }) => minute),
    [minuteOf(at + MINUTE)],
  );
});

test('a raised tier counts immediately', covers('windows.tier'), async () => {
  const number = await nearlyFull(0);
  assertProblem(await bench.admitOne(number, newClient()), 'tier-reached');
  await sql`UPDATE chat_portfolios SET tier = 2000 WHERE id = ${number.portfolioId}`;
  assertProblem(await bench.admitOne(number, newClient()), null);
});

test('expired minutes are dropped', async () => {
  const number = await bench.newNumber();
  const start = clock.now();
  for (let day = 0; day < 5; day++) {
    assertProblem(await bench.admitOne(number, newClient(), { now: start + day * DAY }), null);
  }
  const rows = await sql<{ minute: number }[]>`
    SELECT minute FROM chat_reach WHERE account_id = ${number.accountId} ORDER BY minute`;
  assert.deepEqual(
    rows.map(({ minute }) => minute),
    [3, 4].map((day) => minuteOf(start + day * DAY)),
  );
});

test('of many concurrent clients, one gets the last place', covers('windows.tier.at once'), async () => {
  for (let round = 0; round < 3; round++) {
    const number = await nearlyFull(1);
    const beside = await bench.newNumber(undefined, number);
    const admissions = await Promise.all(
      newClients(20).map((client, index) => bench.admitOne(index % 2 === 0 ? number : beside, client)),
    );
    assert.equal(admissions.filter(({ problem }) => problem === null).length, 1);
    assert.equal(await counted(number), TIER);
  }
});

test(
  'concurrent steps and single messages never exceed the tier together',
  covers('windows.tier.at once'),
  async () => {
    const number = await bench.newNumber();
    const shared = newClients(100);
    const steps = Array.from({ length: 4 }, () =>
      bench.admitted(number, [...newClients(60), ...shared].sort(), {}),
    );
    const singles = newClients(40).map(async (client) => [await bench.admitOne(number, client)]);
    const admissions = (await Promise.all([...steps, ...singles])).flat();
    const going = new Set(admissions.filter(({ problem }) => problem === null).map(({ client }) => client));
    assert.equal(going.size, TIER);
    assert.equal(await counted(number), TIER);
  },
);
