import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smsChannel } from '../../../server/channels/sms/channel.ts';
import { numbers } from '../../../server/database/arrays.ts';
import { openPlacements } from '../../../server/database/placements.ts';
import { countHours, groupsOfHours } from '../../../server/engine/messages/count-hours.ts';
import type { AccountHour } from '../../../server/engine/messages/hour-rows.ts';
import { hourFloor, hourOf } from '../../../server/engine/messages/hours.ts';
import { atEnd, createDatabase } from '../../support/database.ts';

/* Counting the hours of several accounts, of one placement each, in one transaction. */

const { sql } = await createDatabase();
const placements = await openPlacements(sql);
atEnd(() => placements.stop());
const now = Date.now();
const hour = hourOf(now);

// Three accounts that may share a statement.
const placement = await placements.of(1);
const accounts: number[] = [];
for (let account = 1; accounts.length < 3; account++) {
  if ((await placements.of(account)) === placement) accounts.push(account);
}
const hours: AccountHour[] = accounts.map((accountId) => ({ accountId, hour }));
const placed = placements.sqlOf(accounts[0]!, sql);

for (const [index, account] of accounts.entries()) {
  await sql`INSERT INTO wallets (account_id) VALUES (${account})`;
  // Messages of this hour, one more for each account, and one of the hour before.
  for (let n = -1; n <= index; n++) {
    const id = n === -1 ? hourFloor(hour) - 1 : hourFloor(hour) + n;
    await sql`
      INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, parts, price, channel, link, handed_at,
        status, final_at)
      VALUES (${account}, ${id}, 1, 1, '972521231234', 'Shop', 1, 1, ${smsChannel.id}, 'main', ${now}, 102, ${now})`;
  }
}

const mark = async () => {
  for (const account of accounts)
    await sql`INSERT INTO message_hours_changed (account_id, hour) VALUES (${account}, ${hour}) ON CONFLICT DO NOTHING`;
};

async function counted() {
  const rows = await sql<{ delivered: number; spent: string }[]>`
    SELECT delivered, spent FROM message_hours WHERE account_id = ANY(${numbers(accounts)}::bigint[]) ORDER BY account_id`;
  const rates = await sql<{ delivered: number }[]>`
    SELECT delivered FROM delivery_hours WHERE account_id = ANY(${numbers(accounts)}::bigint[]) ORDER BY account_id`;
  return [
    rows.map(({ delivered }) => delivered),
    rows.map(({ spent }) => Number(spent)),
    rates.map(({ delivered }) => delivered),
  ];
}

test('the hours of several accounts are counted in one transaction', async () => {
  await mark();
  assert.deepEqual(await groupsOfHours(placed, hours), [hours]);
  await countHours(placed, hours.toReversed(), now);
  assert.deepEqual(await counted(), [
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  assert.equal((await sql`SELECT FROM message_hours_changed`).length, 0);
});

test('an hour without a mark was counted by another process, and stays as it is', async () => {
  await sql`UPDATE message_hours SET delivered = 7 WHERE account_id = ${accounts[1]!}`;
  await sql`INSERT INTO message_hours_changed (account_id, hour) VALUES (${accounts[0]!}, ${hour})`;
  await countHours(placed, hours, now);
  assert.deepEqual((await counted())[0], [1, 7, 3]);
});

test('an hour with many messages is counted separately, by its last count', async () => {
  await sql`UPDATE message_hours SET delivered = 30000 WHERE account_id = ${accounts[1]!}`;
  const [first, second, third] = hours;
  assert.deepEqual(await groupsOfHours(placed, hours), [[first], [second], [third]]);
  assert.deepEqual(await groupsOfHours(placed, [second!]), [[second]]);
});

test('concurrent counts of the same hours have the same result', async () => {
  await mark();
  await Promise.all([
    countHours(placed, hours, now),
    countHours(placed, hours.toReversed(), now),
    countHours(placed, hours.slice(1), now),
  ]);
  assert.deepEqual((await counted())[0], [1, 2, 3]);
});
