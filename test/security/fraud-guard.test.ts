import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanBlocks } from '../../server/modules/fraud-guard/upkeep.ts';
import { asPerson } from '../api/v1/calls.ts';
import { stored } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The attacker owns a range of numbers and earns by each message to them: they write to a number of the account, have alerts
 * confirmed, and have senders verified.
 */

const service = await startTestService({ settings: { OTP_BRAKE: 'on' } });
const { sql, appContext } = service;
let made = 0;

async function newAccount() {
  const account = await service.addAccount({ username: `guarded-${++made}` }, 1_000);
  const owner = await asPerson(service, 'owner', account.id);
  const count = async (kind: string) => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM guarded_sends WHERE account_id = ${account.id} AND kind = ${kind}`;
    return row!.count;
  };
  const blocks = async () =>
    (await owner.get<{ blocks: { kind: string; rule: string; prefix: string }[] }>('/otp/blocks')).blocks;
  return { account, owner, count, blocks };
}

/** Neighbouring numbers, in the local spelling. */
const range = (beginning: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${beginning}${String(index * 3).padStart(5, '0')}`);

test('automatic replies to a range stop after ten neighbours', async () => {
  const { account, owner, blocks } = await newAccount();
  const number = '972551000091';
  await appContext.sources.approve(account.id, number, { incoming: true });
  await owner.post('/conversation-rules', { name: 'Hi', reply_text: 'Hello' });
  const phones = range('05021', 15);
  for (const phone of phones) await service.sendFromPhone(phone, number, 'hi');
  const failed = await waitFor('every reply is settled', async () => {
    const rows = await sql<{ kind: string }[]>`
      SELECT e.kind FROM conversation_entries e
      WHERE e.account_id = ${account.id} AND e.kind = 'rule' AND e.details ? 'failed'
      UNION ALL SELECT 'sent' FROM messages WHERE account_id = ${account.id}`;
    return rows.length === phones.length && rows.filter(({ kind }) => kind === 'rule');
  });
  assert.equal(failed.length, 5);
  assert.deepEqual(
    (await blocks()).map(({ kind, rule }) => [kind, rule]),
    [['automatic-reply', 'neighbours']],
  );
});

test('verifications of a range stop until a number is confirmed or the prefix is lifted', async () => {
  const { account, owner, count, blocks } = await newAccount();
  const phones = range('05022', 12);
  const verify = (some: readonly string[]) => owner.fetch('POST', '/sources/verify', { phones: some });
  assert.equal((await verify(phones.slice(0, 10))).status, 200);
  const response = await verify(phones.slice(10));
  const { error } = (await response.json()) as { error: { code: string; reason: string } };
  assert.deepEqual([error.code, error.reason], ['not-now', 'neighbours']);
  assert.equal(await count('verification'), 10);
  // The refused request leaves no link behind and takes nothing from the budget.
  const waiting = await sql`SELECT 1 FROM phone_verifications WHERE account_id = ${account.id}`;
  assert.equal(waiting.length, 10);
  const [used] = await sql<{ count: number }[]>`
    SELECT count::int FROM budget_uses WHERE account_id = ${account.id} AND budget = 'verifications'`;
  assert.equal(used!.count, 10);
  await appContext.verifiedPhones.confirmPhone(account.id, stored(phones[0]!));
  assert.equal((await verify(phones.slice(10, 11))).status, 200);
  assert.equal((await verify(phones.slice(11))).status, 409);
  const [block] = await blocks();
  await owner.post('/otp/lift', { prefix: block!.prefix });
  assert.equal((await verify(phones.slice(11))).status, 200);
});

test('verifications take from their budget', async () => {
  const { account, owner } = await newAccount();
  const operator = await asPerson(service, 'operator');
  const limit = { budget: 'verifications', count: 2 };
  await operator.call('PATCH', `/operator/accounts/${account.id}/budgets`, limit);
  const phones = ['0502310001', '0503320002', '0504330003'];
  await owner.post('/sources/verify', { phones: phones.slice(0, 2) });
  assert.equal(
    (await owner.refused('POST', '/sources/verify', { phones: phones.slice(2) }))[0],
    'over-budget',
  );
  // Without credit no SMS goes out, and the budget is as before.
  const poor = await service.addAccount({ username: `guarded-${++made}` }, 0);
  const poorOwner = await asPerson(service, 'owner', poor.id);
  assert.equal(
    (await poorOwner.refused('POST', '/sources/verify', { phones: phones.slice(2) }))[0],
    'no-credit',
  );
  const [used] = await sql<{ count: number }[]>`
    SELECT count::int FROM budget_uses WHERE account_id = ${poor.id} AND budget = 'verifications'`;
  assert.equal(used!.count, 0);
});

test('questions to recipients of alerts stop, too', async () => {
  const { owner, count, blocks } = await newAccount();
  const recipients = { mails: [], phones: range('05024', 14) };
  const rule = { name: 'low', kind: 'low-balance', thresholds: { below: '1' }, recipients };
  await owner.post('/alert-rules', rule);
  await waitFor('ten are asked and one is stopped', async () => {
    const [block] = await blocks();
    return block?.kind === 'alert-contact' && (await count('alert-contact')) === 10;
  });
});

test('sends that the guard no longer looks at are deleted', async () => {
  assert.ok((await sql`SELECT 1 FROM guarded_sends`).length > 0);
  // A send of the test before may still be stored.
  await waitFor('all are deleted', async () => {
    await cleanBlocks(sql, appContext.clock.now() + 91 * 86_400_000, 90);
    return (await sql`SELECT 1 FROM guarded_sends`).length === 0;
  });
});
