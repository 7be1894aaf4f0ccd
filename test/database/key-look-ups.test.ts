import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../../server/database/arrays.ts';
import type { Sql } from '../../server/database/connection.ts';
import { createDatabase } from '../support/database.ts';

/*
 * Groups of rows are looked up by their primary keys (rows-by-key.ts). Sessions keep the plan of such a statement, also one that was made
 * while the tables were empty, so it must use the primary key then too.
 */

/** Tables of these look-ups. Large installations have many rows of an account in each. */
const lookedUp = [
  'dispatch_batches',
  'event_queue',
  'messages',
  'smpp_deliveries',
  'status_callbacks',
  'waits',
];

interface Node {
  readonly 'Index Name'?: string;
  readonly 'Node Type': string;
  readonly Plans?: readonly Node[];
}

const { sql } = await createDatabase();

/** The second column of the primary keys; the first one is the account. */
const keyed = await sql<{ name: string; column: string; type: string }[]>`
  SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[1]
  WHERE i.indisprimary AND c.relname = ANY(${texts(lookedUp)}::text[]) ORDER BY 1`;

/** Nodes of a plan that read a table. */
const readsOf = (node: Node): Node[] => [
  ...(/Scan/.test(node['Node Type']) && !/Function|Subquery|Bitmap Heap/.test(node['Node Type'])
    ? [node]
    : []),
  ...(node.Plans ?? []).flatMap(readsOf),
];

async function planOf(on: Sql, { name, column, type }: (typeof keyed)[number]): Promise<Node> {
  const [row] = await on.unsafe<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(`
    EXPLAIN (GENERIC_PLAN, FORMAT JSON)
    SELECT t.* FROM (SELECT * FROM unnest($1::bigint[], $2::${type}[]) AS k (account_id, key) LIMIT $3) AS u
    JOIN ${name} t ON t.account_id = u.account_id AND t.${column} = u.key WHERE t.account_id = ANY($4::bigint[])`);
  return row!['QUERY PLAN'][0].Plan;
}

test('empty tables are looked up by their primary keys', async () => {
  assert.deepEqual(
    keyed.map(({ name }) => name),
    lookedUp,
  );
  const primary = new Set(
    (
      await sql<{ name: string }[]>`
        SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisprimary`
    ).map(({ name }) => name),
  );
  const others: string[] = [];
  for (const table of keyed) {
    for (const read of readsOf(await planOf(sql, table))) {
      if (!primary.has(read['Index Name'] ?? ''))
        others.push(`${table.name}: ${read['Index Name'] ?? read['Node Type']}`);
    }
  }
  assert.deepEqual(others, []);
});
