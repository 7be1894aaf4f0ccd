import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropDatabase, makeDatabase, type Server } from '../../bench/support/citus.ts';
import { connect, violatedConstraint } from '../../server/database/connection.ts';
import {
  type DistributedTable,
  distribute,
  isDistributed,
  refusePartlyDistributed,
} from '../../server/database/distribution.ts';
import { migrate } from '../../server/database/migrate.ts';
import { atEnd, createDatabase } from '../support/database.ts';
import { tables } from '../support/tables.ts';

/* What concerns a cluster alone: distributing a database that has rows, and errors as Citus tells them. */

const nodes = JSON.parse(process.env.CARILLON_TEST_CLUSTER!) as Server[];
const DATABASE = 'interrupted';

class Interrupted extends Error {}

test('an interrupted distribution continues where it stopped, with every row', {
  timeout: 170_000,
}, async () => {
  const servers = nodes.map((node) => ({ ...node, database: DATABASE }));
  await makeDatabase(servers);
  const sql = connect(servers[0]!, { max: 2 });
  atEnd(async () => {
    await sql.end({ timeout: 1 });
    await dropDatabase(nodes, DATABASE);
  });
  await migrate(sql, tables);
  const names = tables.placements.filter(({ column }) => column !== undefined).map(({ table }) => table);
  const last = names.indexOf('sources');
  await sql`INSERT INTO wallets (account_id, balance) SELECT n, n FROM generate_series(1, 100) AS g (n)`;
  await sql`
    INSERT INTO ledger (account_id, id, kind, amount, at) SELECT n, n, 'topup', n, 0 FROM generate_series(1, 100) AS g (n)`;
  await assert.rejects(
    distribute(sql, tables.placements, 2, ({ table }) => {
      if (table === names[last]) throw new Interrupted();
    }),
    Interrupted,
  );
  assert.equal(await isDistributed(sql), true);
  await assert.rejects(refusePartlyDistributed(sql, tables.placements), /distributed in part/);
  await assert.rejects(
    distribute(sql, tables.placements, 4, () => {}),
    /has 2 shards already/,
  );

  const told: DistributedTable[] = [];
  await distribute(sql, tables.placements, undefined, (table) => told.push(table));
  assert.deepEqual(
    told.map(({ table }) => table),
    names,
  );
  const done = told.filter(({ wasDone }) => wasDone).map(({ table }) => table);
  assert.deepEqual(done, names.slice(0, last + 1));
  assert.deepEqual(
    told.filter(({ rows }) => rows > 0).map(({ table, rows }) => [table, rows]),
    [
      ['wallets', 100],
      ['ledger', 100],
    ],
  );
  await refusePartlyDistributed(sql, tables.placements);
  const [sum] = await sql`SELECT sum(balance)::integer AS balance, count(*) AS count FROM wallets`;
  assert.deepEqual(sum, { balance: 5_050, count: 100 });
});

test('migrations of a later version change tables that are in shards', async () => {
  const { sql } = await createDatabase();
  // A table and an index by account, and a column of a table that is not in shards.
  await sql`DROP TABLE kept_requests, drafts`;
  await sql`DROP INDEX ledger_shipment_corrections`;
  await sql`ALTER TABLE people DROP COLUMN time_zone`;
  await sql`DELETE FROM migrations WHERE number BETWEEN 51 AND 53`;
  assert.equal(await migrate(sql, tables), 3);
  const rows = await sql<{ name: string }[]>`
    SELECT logicalrelid::text AS name FROM pg_dist_partition
    WHERE logicalrelid IN ('kept_requests'::regclass, 'drafts'::regclass) ORDER BY 1`;
  assert.deepEqual(
    rows.map(({ name }) => name),
    tables.placements
      .filter(({ table, column }) => ['drafts', 'kept_requests'].includes(table) && column !== undefined)
      .map(({ table }) => table)
      .sort(),
  );
  const indexes = await sql`SELECT FROM pg_indexes WHERE indexname = 'ledger_shipment_corrections'`;
  assert.equal(indexes.length, 1);
});

test('the violated constraint has its own name, whatever the shard', async () => {
  const { sql } = await createDatabase();
  await sql`INSERT INTO wallets (account_id, balance) VALUES (1, 10)`;
  const violated = (statement: Promise<unknown>) =>
    statement.then(
      () => 'nothing',
      (error: unknown) => violatedConstraint(error),
    );
  assert.equal(
    await violated(sql`UPDATE wallets SET balance = -1 WHERE account_id = 1`),
    'wallets_balance_check',
  );
  assert.equal(await violated(sql`INSERT INTO wallets (account_id, balance) VALUES (1, 5)`), 'wallets_pkey');
});
