import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAT_PRICES } from '../../../server/channels/chat/admit.ts';
import { monthOf } from '../../../server/channels/chat/billing.ts';
import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { covers } from '../../conformance/covers.ts';
import { createChatBench, DAY, MINUTE, newClient, newClients, SECOND, ZONE } from './admissions.ts';

/** What chat messages cost (interface, "Billing facts"; decisions, "Billing"). */
const bench = await createChatBench();
const { clock, sql } = bench;
const number = await bench.newNumber();
const HALF = CREDIT / 2;

const price = async (client: string, wanted = {}) => {
  const admission = await bench.admitOne(number, client, wanted);
  assert.equal(admission.problem, null);
  return admission.price;
};

/** A client with an open window and an open conversation. */
async function newGuest(from: ChatNumber): Promise<string> {
  const client = newClient();
  await bench.admitOne(from, client);
  await bench.writes(from, client);
  return client;
}

/** The messages of the account's month so far. */
const setMonth = (accountId: number, messages: number, zone = ZONE) => sql`
  INSERT INTO chat_months (account_id, month, messages)
  VALUES (${accountId}, ${monthOf(clock.now(), zone)}, ${messages})`;

test(
  'a conversation is paid for once, and lasts 24 hours from the message that opened it',
  covers('windows.conversation'),
  async () => {
    const client = newClient();
    const at = clock.now();
    assert.equal(await price(client, { now: at }), CREDIT);
    assert.equal(await price(client, { now: at + MINUTE }), 0);
    await bench.writes(number, client, at + DAY - MINUTE);
    assert.equal(await price(client, { now: at + DAY - 1 }), 0);
    assert.equal(await price(client, { now: at + DAY }), CREDIT);
  },
);

test('a message within a conversation does not make it longer', covers('windows.conversation'), async () => {
  const client = newClient();
  const at = clock.now();
  await price(client, { now: at });
  await bench.writes(number, client, at + MINUTE);
  const later = at + DAY - MINUTE;
  assert.equal(await price(client, { kind: 'buttons', now: later }), 0);
  assert.equal((await bench.window(number, client)).conversationAt, at);
  assert.equal(await price(client, { kind: 'buttons', now: at + DAY }), CREDIT);
  assert.equal((await bench.window(number, client)).conversationAt, at + DAY);
});

test(
  "the client's messages open no conversation, the answer to the first does",
  covers('windows.conversation'),
  async () => {
    const client = newClient();
    await bench.writes(number, client);
    assert.equal((await bench.window(number, client)).conversationAt, null);
    assert.equal(await price(client, { kind: 'carousel' }), CREDIT);
    assert.equal(await price(client, { kind: 'carousel' }), 0);
  },
);

test('each business number has its own conversations', covers('windows.conversation'), async () => {
  const other = await bench.newNumber(undefined, number);
  const client = newClient();
  assert.equal(await price(client), CREDIT);
  assert.equal((await bench.admitOne(other, client)).price, CREDIT);
});

test(
  "the price is the price list's, by account and prefix",
  covers('windows.conversation.price'),
  async () => {
    const { accountId } = number;
    await bench.prices.set(accountId, CHAT_PRICES, '44', '2.5');
    await bench.prices.set(accountId, 'sms', '', '9');
    assert.equal(await price('447700900123'), 25_000);
    assert.equal(await price(newClient()), CREDIT);
  },
);

test(
  'the first 1,000 button and carousel messages of a month are free, the next cost half a credit',
  covers('windows.the thousand', 'chatLimits.billing'),
  async () => {
    const own = await bench.newNumber();
    const client = await newGuest(own);
    await setMonth(own.accountId, 998);
    const prices: number[] = [];
    for (const kind of ['buttons', 'carousel', 'buttons', 'carousel'] as const) {
      prices.push((await bench.admitOne(own, client, { kind })).price);
    }
    assert.deepEqual(prices, [0, 0, HALF, HALF]);
    const [row] = await sql`SELECT messages FROM chat_months WHERE account_id = ${own.accountId}`;
    assert.equal(row!.messages, 1002);
  },
);

test(
  'one beyond the thousandth that opens a conversation costs both',
  covers('windows.the thousand', 'chat.billing'),
  async () => {
    const own = await bench.newNumber();
    const client = newClient();
    await bench.writes(own, client);
    await setMonth(own.accountId, 1000);
    assert.equal((await bench.admitOne(own, client, { kind: 'buttons' })).price, CREDIT + HALF);
  },
);

test('templates and what is refused are not counted', covers('windows.the thousand'), async () => {
  const own = await bench.newNumber();
  const guest = await newGuest(own);
  const stranger = newClient();
  await setMonth(own.accountId, 999);
  assert.equal((await bench.admitOne(own, stranger, { kind: 'buttons' })).problem, 'never-written');
  assert.equal((await bench.admitOne(own, newClient())).price, CREDIT);
  assert.equal((await bench.admitOne(own, guest, { kind: 'buttons' })).price, 0);
  assert.equal((await bench.admitOne(own, guest, { kind: 'buttons' })).price, HALF);
});

test(
  'all numbers of an account share the thousand, other accounts have their own',
  covers('windows.the thousand'),
  async () => {
    const own = await bench.newNumber();
    const beside = await bench.newNumber(undefined, own);
    const other = await bench.newNumber();
    await setMonth(own.accountId, 999);
    const guests = [await newGuest(own), await newGuest(beside), await newGuest(other)] as const;
    assert.equal((await bench.admitOne(own, guests[0], { kind: 'buttons' })).price, 0);
    assert.equal((await bench.admitOne(beside, guests[1], { kind: 'buttons' })).price, HALF);
    assert.equal((await bench.admitOne(other, guests[2], { kind: 'buttons' })).price, 0);
  },
);

test(
  "the month is the calendar's in the account's time zone",
  covers('windows.the thousand.month'),
  async () => {
    // Midnight in Jerusalem is 21:00 UTC in summer time, 22:00 in winter time.
    const cases: [string, string, number][] = [
      ['2026-05-31T20:59:59.999Z', 'Asia/Jerusalem', 2026 * 12 + 5],
      ['2026-05-31T21:00:00.000Z', 'Asia/Jerusalem', 2026 * 12 + 6],
      ['2026-12-31T21:59:59.999Z', 'Asia/Jerusalem', 2026 * 12 + 12],
      ['2026-12-31T22:00:00.000Z', 'Asia/Jerusalem', 2027 * 12 + 1],
      ['2026-12-31T22:00:00.000Z', 'America/New_York', 2026 * 12 + 12],
    ];
    for (const [time, zone, month] of cases) assert.equal(monthOf(Date.parse(time), zone), month, time);
    const own = await bench.newNumber();
    const client = newClient();
    const end = Date.parse('2026-05-31T21:00:00.000Z');
    await bench.writes(own, client, end - SECOND);
    await sql`INSERT INTO chat_months (account_id, month, messages) VALUES (${own.accountId}, ${2026 * 12 + 5}, 1000)`;
    const at = (now: number, zone = ZONE) => bench.admitOne(own, client, { kind: 'buttons', now, zone });
    assert.equal((await at(end - 1)).price, CREDIT + HALF);
    assert.equal((await at(end)).price, 0);
    assert.equal((await at(end, 'America/New_York')).price, HALF);
  },
);

test('of a step as many are free as are left, the first of it', async () => {
  const own = await bench.newNumber();
  const clients = newClients(5);
  for (const client of clients) await bench.writes(own, client);
  await bench.admitted(own, clients, { kind: 'buttons' });
  await sql`UPDATE chat_months SET messages = 997 WHERE account_id = ${own.accountId}`;
  const admissions = await bench.admitted(own, clients, { kind: 'buttons' });
  assert.deepEqual(
    admissions.map(({ price }) => price),
    [0, 0, 0, HALF, HALF],
  );
});

test('of many concurrent messages, one is the free thousandth', covers('windows.the thousand'), async () => {
  const own = await bench.newNumber();
  const beside = await bench.newNumber(undefined, own);
  const guests = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const from = index % 2 === 0 ? own : beside;
      return { from, client: await newGuest(from) };
    }),
  );
  await setMonth(own.accountId, 999);
  const admissions = await Promise.all(
    guests.map(({ from, client }) => bench.admitOne(from, client, { kind: 'carousel' })),
  );
  assert.deepEqual(
    admissions.map(({ price }) => price).sort((a, b) => a - b),
    [0, ...Array(19).fill(HALF)],
  );
});

test(
  'of many concurrent buttons to one client, one opens the conversation and pays for it',
  covers('windows.conversation.at once'),
  async () => {
    const client = newClient();
    await bench.writes(number, client);
    const admissions = await Promise.all(
      Array.from({ length: 20 }, () => bench.admitOne(number, client, { kind: 'buttons' })),
    );
    assert.deepEqual(
      admissions.map(({ price }) => price).sort((a, b) => a - b),
      [...Array(19).fill(0), CREDIT],
    );
  },
);

test('what is rolled back was never there', covers('windows.refused'), async () => {
  const own = await bench.newNumber();
  const client = await newGuest(own);
  const before = await bench.window(own, client);
  const undone = new Error('undone');
  for (const kind of ['template', 'buttons'] as const) {
    const failing = bench.admitOne(own, client, {
      kind,
      async also() {
        throw undone;
      },
    });
    await assert.rejects(failing, undone);
  }
  assert.deepEqual(await bench.window(own, client), before);
  const months = await sql`SELECT 1 FROM chat_months WHERE account_id = ${own.accountId}`;
  assert.equal(months.length, 0);
});
