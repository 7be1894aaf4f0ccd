import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbers } from '../../../server/database/arrays.ts';
import type { Sql } from '../../../server/database/connection.ts';
import { claimBatches } from '../../../server/engine/dispatch/batches.ts';
import { accountsTogether } from '../../support/accounts-together.ts';
import { createDatabase } from '../../support/database.ts';

/* How many batches one claim leases, by whatever plan PostgreSQL chooses, and among many accounts and claimers. */

const ACCOUNTS = 40;
const EACH = 2;
const BATCHES = 50;
const MESSAGES = 10;

/**
 * A database with due batches of every account. Its statistics are of a time when another account had all batches, so
 * PostgreSQL expects none of these accounts.
 */
async function withBatches() {
  const { sql } = await createDatabase();
  const [other, ...accountIds] = await accountsTogether(sql, ACCOUNTS + 1);
  await sql`ALTER TABLE dispatch_batches SET (autovacuum_enabled = false)`;
  const add = (accounts: readonly number[]) => sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, first_id, last_id, count)
    SELECT account, account * 1000 + n, 0, 1, '', n, n, n, ${MESSAGES}
    FROM unnest(${numbers(accounts)}::bigint[]) AS a (account), generate_series(1, ${BATCHES}) n`;
  await add([other]);
  await sql`ANALYZE dispatch_batches`;
  await add(accountIds);
  const claim = (owner: string, messages = 1_000_000, on = sql) =>
    claimBatches(on, owner, 1_000, {
      accountIds,
      lane: 1,
      routes: [''],
      each: EACH,
      messages,
      copyPauseMs: 0,
    });
  const leased = () => sql<{ account_id: number; count: number }[]>`
    SELECT account_id, count(*)::int AS count FROM dispatch_batches WHERE lease_owner IS NOT NULL GROUP BY account_id`;
  return { sql, claim, leased };
}

/** Plans that PostgreSQL may choose for a join, by what is switched off. */
const plans = {
  'as chosen': [],
  'a nested loop': ['enable_hashjoin', 'enable_mergejoin', 'enable_material'],
  'a nested loop without indexes': [
    ...['enable_hashjoin', 'enable_mergejoin', 'enable_material'],
    ...['enable_indexscan', 'enable_bitmapscan', 'enable_memoize'],
  ],
  'a hash': ['enable_nestloop', 'enable_mergejoin'],
  'a merge': ['enable_nestloop', 'enable_hashjoin'],
};

for (const [plan, off] of Object.entries(plans)) {
  test(`a claim leases no more than its limit for each account (${plan})`, async () => {
    const { sql, claim, leased: leasedOf } = await withBatches();
    const connection = await sql.reserve();
    for (const setting of off) await connection.unsafe(`SET ${setting} = off`);
    const { batches } = await claim('one', undefined, connection as unknown as Sql);
    await connection.unsafe('RESET ALL');
    connection.release();
    const leased = await leasedOf();
    assert.equal(leased.length, ACCOUNTS);
    assert.deepEqual(new Set(leased.map(({ count }) => count)), new Set([EACH]));
    assert.equal(batches.length, ACCOUNTS * EACH);
  });
}

test('a claim leases no more than its limit of messages', async () => {
  const { claim, leased } = await withBatches();
  const { batches } = await claim('one', 15);
  assert.equal(batches.length, 2);
  assert.equal((await leased()).length, 2);
});

test('claimers at the same time lease each batch once, each within its limit', async () => {
  const { claim } = await withBatches();
  const seen = new Set<number>();
  for (let round = 0; seen.size < ACCOUNTS * BATCHES; round++) {
    assert.ok(round < 1_000, 'not all batches are leased');
    const claims = await Promise.all(['one', 'two', 'three', 'four'].map((owner) => claim(owner)));
    for (const { batches } of claims) {
      for (const ofAccount of Map.groupBy(batches, ({ accountId }) => accountId).values())
        assert.ok(ofAccount.length <= EACH, `${ofAccount.length} batches of one account`);
      for (const { id } of batches) {
        assert.ok(!seen.has(id), `batch ${id} is leased twice`);
        seen.add(id);
      }
    }
  }
});
