import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigints, ints } from '../../server/database/binary-arrays.ts';
import { isOfAccounts, isWithin, rowsByKey } from '../../server/database/rows-by-key.ts';
import { createEmptyDatabase } from '../support/database.ts';

/*
 * An update by key looks each key up in the index. With any other plan the cost grows with the rows of its accounts,
 * not with those of the statement.
 */

const { sql } = await createEmptyDatabase();
await sql.unsafe(`
  CREATE TABLE keyed (account_id bigint, id bigint, value integer, PRIMARY KEY (account_id, id)) PARTITION BY RANGE (id);
  CREATE TABLE keyed_now PARTITION OF keyed FOR VALUES FROM (0) TO (1000000) WITH (autovacuum_enabled = off);
  CREATE TABLE keyed_next PARTITION OF keyed FOR VALUES FROM (1000000) TO (2000000) WITH (autovacuum_enabled = off)`);
const rows = Array.from({ length: 280 }, (_, n) => ({ accountId: 1 + (n % 28), id: 1_000 + n }));

const update = (some: readonly { readonly accountId: number; readonly id: number }[]) => {
  const arrays = sql`
    ${bigints(some.map(({ accountId }) => accountId))}::bigint[], ${bigints(some.map(({ id }) => id))}::bigint[],
    ${ints(some.map((_, n) => n))}::integer[]`;
  return sql<{ id: number; value: number }[]>`
    UPDATE keyed r SET value = u.value FROM ${rowsByKey(sql, some.length, sql`account_id, id, value`, arrays)}
    WHERE ${isOfAccounts(sql, sql`r.account_id`, some)} AND r.account_id = u.account_id AND r.id = u.id
      AND ${isWithin(sql, sql`r.id`, { first: 1_000, last: 1_300 })}
    RETURNING r.id, r.value`;
};

/** Returns the plan for arrays of any length, which a session uses after some executions. */
async function planOf(): Promise<string> {
  let statement = '';
  const { observe } = sql.options;
  sql.options.observe = (text) => {
    statement = text;
  };
  await update(rows);
  sql.options.observe = observe;
  const session = await sql.reserve();
  try {
    await session.unsafe('SET plan_cache_mode = force_generic_plan');
    await session.unsafe(`PREPARE by_key AS ${statement}`);
    const values = [...Array(Math.max(...[...statement.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n))))];
    const lines = await session.unsafe<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN EXECUTE by_key (${values.map(() => 'NULL').join()})`,
    );
    await session.unsafe('DEALLOCATE by_key');
    await session.unsafe('RESET plan_cache_mode');
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  } finally {
    session.release();
  }
}

test('rows are updated by their keys, and only those of the accounts', async () => {
  await sql`INSERT INTO keyed SELECT account, id, -1 FROM generate_series(1, 40) AS account, generate_series(1000, 1300) AS id`;
  const updated = await update(rows);
  assert.equal(updated.length, 280);
  assert.ok(updated.every(({ id, value }) => value === id - 1_000));
  assert.deepEqual([...(await update([]))], []);
  const [left] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM keyed WHERE value = -1`;
  assert.equal(left!.count, 40 * 301 - 280);
  await sql`TRUNCATE keyed`;
});

for (const state of ['without statistics', 'with statistics of many rows']) {
  test(`each key is looked up in the index of a table ${state}`, async () => {
    if (state === 'with statistics of many rows') {
      await sql`INSERT INTO keyed SELECT account, id, 0 FROM generate_series(1, 200) AS account, generate_series(1000, 1400) AS id`;
      await sql`ANALYZE keyed_now`;
    }
    const plan = await planOf();
    assert.doesNotMatch(plan, /Seq Scan|Bitmap|Hash|Merge|Materialize/);
    const conditions = [...plan.matchAll(/Index Cond: (.*)/g)].map(([, condition]) => condition!);
    assert.ok(conditions.length > 0, plan);
    for (const condition of conditions) {
      assert.match(condition, /account_id = u\.account_id.*id = u\.id/);
      assert.doesNotMatch(condition, /ANY/);
    }
  });
}
