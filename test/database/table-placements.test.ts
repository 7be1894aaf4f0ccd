import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distribute, isDistributed } from '../../server/database/distribution.ts';
import { createDatabase } from '../support/database.ts';
import { tables } from '../support/tables.ts';

const { sql } = await createDatabase();

test('every table of the schema is declared by one module', async () => {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  assert.deepEqual(tables.placements.map(({ table }) => table).sort(), rows.map(({ name }) => name).sort());
});

test('every table with partitions declares them', async () => {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid`;
  assert.deepEqual(tables.partitioned.map(({ table }) => table).sort(), rows.map(({ name }) => name).sort());
});

test('every table with leases declares them, except tables with special rules', async () => {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname = 'lease_until'`;
  const withOwnRules = ['dispatch_batches'];
  // Their work is in the table of background work; the columns are those of earlier versions.
  const ofEarlierVersions = [
    'campaigns',
    'chat_template_submissions',
    'chat_template_syncs',
    'csv_jobs',
    'data_subject_requests',
    'media',
  ];
  assert.deepEqual(
    [...tables.leased, ...withOwnRules, ...ofEarlierVersions].sort(),
    rows.map(({ name }) => name).sort(),
  );
});

test('the column by which a table is distributed is in its primary key, and in every unique index', async () => {
  const rows = await sql<{ table: string; index: string; columns: string[] }[]>`
    SELECT c.relname AS table, i.indexrelid::regclass::text AS index, array_agg(a.attname::text) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey::smallint[])
    WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
    GROUP BY c.relname, i.indexrelid`;
  for (const { table, column } of tables.placements) {
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
    tables.placements.filter(({ column }) => column !== undefined).map(({ table }) => table),
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
    distribute(sql, tables.placements, 4, () => assert.fail('a table was distributed')),
    /CREATE EXTENSION citus/,
  );
});
