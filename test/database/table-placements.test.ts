import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distribute, isDistributed } from '../../server/database/distribution.ts';
import { tablePlacements } from '../../server/database/table-placements.ts';
import { createDatabase } from '../support/database.ts';

const { sql } = await createDatabase();

test('every table is in the list of placements exactly once', async () => {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  assert.deepEqual(tablePlacements.map(({ table }) => table).sort(), rows.map(({ name }) => name).sort());
});

test('the column by which a table is distributed is in its primary key, and in every unique index', async () => {
  const rows = await sql<{ table: string; index: string; columns: string[] }[]>`
    SELECT c.relname AS table, i.indexrelid::regclass::text AS index, array_agg(a.attname::text) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey::smallint[])
    WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
    GROUP BY c.relname, i.indexrelid`;
  for (const { table, column } of tablePlacements) {
    if (column === undefined) continue;
    const ofTable = rows.filter((row) => row.table === table);
    assert.ok(ofTable.length > 0, `${table} has no primary key`);
    for (const { index, columns } of ofTable)
      assert.ok(columns.includes(column), `${index} is without ${column}`);
  }
});

test('a distributed table has no foreign key, and none refers to it', async () => {
  const rows = await sql<{ tables: string[] }[]>`
    SELECT ARRAY[conrelid::regclass::text, confrelid::regclass::text] AS tables FROM pg_constraint WHERE contype = 'f'`;
  const distributed = new Set(
    tablePlacements.filter(({ column }) => column !== undefined).map(({ table }) => table),
  );
  assert.deepEqual(
    rows.flatMap(({ tables }) => tables.filter((table) => distributed.has(table))),
    [],
  );
});

test('a database without Citus is not distributed, and told what it lacks', async () => {
  if (process.env.CARILLON_TEST_CLUSTER) {
    assert.equal(await isDistributed(sql), true);
    return;
  }
  assert.equal(await isDistributed(sql), false);
  await assert.rejects(
    distribute(sql, 4, () => assert.fail('a table was distributed')),
    /CREATE EXTENSION citus/,
  );
});
