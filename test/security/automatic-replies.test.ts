import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson } from '../api/v1/calls.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The attacker writes to a number of an account from many phones, so that the account pays for the replies. */

const service = await startTestService();
const { sql, appContext } = service;
const NUMBER = '972551000001';
const account = await service.addAccount({ username: 'replies' }, 1_000);
await appContext.sources.approve(account.id, NUMBER, { incoming: true });
const owner = await asPerson(service, 'owner', account.id);
const operator = await asPerson(service, 'operator');
await owner.post('/conversation-rules', { name: 'Hi', reply_text: 'Hello' });

/** Lets phones write, waits until every reply is settled, and returns how many were accepted. */
async function write(phones: readonly string[]): Promise<number> {
  for (const phone of phones) await service.sendFromPhone(phone, NUMBER, 'hi');
  const settled = await waitFor('every reply is settled', async () => {
    const rows = await sql<{ kind: string }[]>`
      SELECT e.kind FROM conversations c
      JOIN conversation_entries e ON e.account_id = c.account_id AND e.conversation_id = c.id
      WHERE c.account_id = ${account.id} AND c.client = ANY(${[...phones]}::text[])
        AND e.kind = 'rule' AND e.details ? 'failed'
      UNION ALL
      SELECT 'sent' FROM messages WHERE account_id = ${account.id} AND recipient = ANY(${[...phones]}::text[])`;
    return rows.length === phones.length && rows;
  });
  return settled.filter(({ kind }) => kind === 'sent').length;
}

const abroad = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => String(from + index * 1_001));

test('phones abroad cause no replies unless the account allows their country', async () => {
  const before = await service.balance(account.id);
  assert.equal(await write(abroad(10, 12_125_550_100)), 0);
  assert.equal(await service.balance(account.id), before);
  await owner.call('PATCH', '/conversation-settings', { automatic_reply_countries: ['US'] });
  assert.equal(await write(['12125559999']), 1);
  assert.equal(await write(['447911123456']), 0);
});

test('replies stop at the budget of the day', async () => {
  await operator.call('PATCH', `/operator/accounts/${account.id}/budgets`, {
    budget: 'automatic-replies',
    count: 4,
  });
  const phones = Array.from({ length: 8 }, (_, index) => `97250123${String(index * 700).padStart(4, '0')}`);
  // One reply of the test before counts, too.
  assert.equal(await write(phones), 3);
});
