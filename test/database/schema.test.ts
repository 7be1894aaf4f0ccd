import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { migrate, statementsIn } from '../../server/database/migrate.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { maintainPartitions, partitionAt } from '../../server/database/partitions.ts';
import { takeProcessNumber } from '../../server/database/processes.ts';
import { type Charset, joinParts } from '../../server/kit/text/charsets.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { waitersFor } from '../support/lock-waits.ts';
import { createDatabaseBefore } from '../support/older-database.ts';
import { tables } from '../support/tables.ts';
import { waitFor } from '../support/wait-for.ts';

const day = 86_400_000;

test('two processes that migrate concurrently leave one schema, complete for both', async () => {
  const { sql, target } = await createEmptyDatabase();
  const other = connect(target);
  const applied = await Promise.all([migrate(sql, tables), migrate(other, tables)]);
  await other.end();
  const rows = await sql<{ number: number }[]>`SELECT number FROM migrations ORDER BY number`;
  assert.equal(applied[0] + applied[1], rows.length);
  assert.deepEqual(
    rows.map((row) => row.number),
    (await readMigrations()).map(({ number }) => number),
  );
  assert.equal(await migrate(sql, tables), 0);
});

test('a schema of a later version is run with, unless one of its migrations requires what this version does not know', async () => {
  const { sql } = await createDatabase();
  const known = (await readMigrations()).at(-1)!.number;
  await sql`INSERT INTO migrations VALUES (9998, 'adds_a_column', 0)`;
  const warned: object[] = [];
  assert.equal(await migrate(sql, tables, { warn: (said: object) => void warned.push(said) }), 0);
  assert.deepEqual(warned, [{ migration: 9998, known }]);
  await sql`INSERT INTO migrations (number, name, applied_at, requires) VALUES (9999, 'drops_a_column', 0, 9998)`;
  await assert.rejects(migrate(sql, tables), /newer version/);
});

test('a migration does not stop others while somebody holds a table that it changes', async () => {
  const { sql, target } = await createDatabaseBefore(63);
  const [holder, other] = [await sql.reserve(), connect(target)];
  await holder`BEGIN`;
  await holder`SELECT FROM conversations`;
  const [migrating, waiting] = [migrate(other, tables), () => waitersFor(holder)];
  await waitFor('it waits for the table', async () => (await waiting()).length > 0);
  // Who comes after it waits behind it, until it has given up for a moment.
  await sql`SELECT FROM conversations`;
  await holder`COMMIT`;
  holder.release();
  assert.ok((await migrating) > 0);
  await other.end();
});

test('a migration gives way to a transaction that waits for it while it waits for the transaction', async () => {
  const { sql, target } = await createDatabaseBefore(69);
  const [holder, other] = [await sql.reserve(), connect(target)];
  await holder`BEGIN`;
  await holder`SELECT FROM shipments`;
  // It has `messages` by then.
  const [migrating, waiting] = [migrate(other, tables), () => waitersFor(holder)];
  await waitFor('it waits for the table', async () => (await waiting()).length > 0);
  const [first] = await Promise.allSettled([holder`SELECT FROM messages`]);
  await holder`COMMIT`;
  holder.release();
  const [second] = await Promise.allSettled([migrating]);
  await other.end();
  assert.deepEqual([first.status, second.status], ['fulfilled', 'fulfilled']);
});

test('partitions are created ahead and dropped after their retention, without gaps', async () => {
  const { sql } = await createDatabase();
  const keep = { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 };
  const start = Date.now();
  for (let month = 0; month < 16; month++)
    await maintainPartitions(sql, start + month * 28 * day, keep, tables.partitioned);
  const end = start + 15 * 28 * day;
  await maintainPartitions(sql, end, keep, tables.partitioned);
  const names = async (table: string) =>
    (
      await sql<{ name: string }[]>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ${table}::regclass ORDER BY 1`
    ).map((row) => row.name);
  const messages = await names('messages');
  assert.equal(messages.at(0), partitionAt('messages', 'month', end - 400 * day).name);
  assert.equal(messages.at(-1), partitionAt('messages', 'month', end, 2).name);
  const carrier = await names('carrier_messages');
  assert.equal(carrier.at(0), partitionAt('carrier_messages', 'week', end - 21 * day).name);
  for (let later = 1; later <= 9; later++)
    await maintainPartitions(sql, end + later * day, keep, tables.partitioned);
  const requests = await names('request_log');
  assert.equal(requests.at(0), partitionAt('request_log', 'day', end + 2 * day).name);
  assert.equal(requests.at(-1), partitionAt('request_log', 'day', end + 9 * day, 2).name);
});

test('partitions are changed while transactions hold some of their tables, and none of them is chosen to fail', async () => {
  const { sql } = await createDatabase();
  const [first, last] = [tables.partitioned[0]!.table, tables.partitioned.at(-1)!.table];
  const holder = await sql.reserve();
  await holder`BEGIN`;
  await holder`SELECT FROM ${sql(last)}`;
  // A leap of the clock, as in the sandbox: every table gets a partition.
  const keep = { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 };
  const changing = maintainPartitions(sql, Date.now() + 365 * day, keep, tables.partitioned);
  await waitFor('it waits for the table', async () => (await waitersFor(holder)).length > 0);
  // What was changed before is not held meanwhile.
  await holder`SELECT FROM ${sql(first)}`;
  await holder`COMMIT`;
  holder.release();
  await changing;
});

test('partitions of a table touch and do not overlap', () => {
  for (const unit of ['month', 'week', 'day'] as const) {
    for (let at = Date.UTC(2025, 0, 15); at < Date.UTC(2028, 0, 1); at += 5 * day) {
      assert.equal(partitionAt('t', unit, at).to, partitionAt('t', unit, at, 1).from);
    }
  }
});

test('process numbers are each held once, and a lost one is noticed', async () => {
  const { sql } = await createDatabase();
  const held = await Promise.all(Array.from({ length: 64 }, () => takeProcessNumber(sql)));
  assert.equal(new Set(held.map((one) => one.number)).size, 64);
  await assert.rejects(takeProcessNumber(sql), /64 processes/);
  await sql`UPDATE processes SET seen_at = 0 WHERE number = ${held[7]!.number}`;
  const next = await takeProcessNumber(sql);
  assert.equal(next.number, held[7]!.number);
  assert.equal(await held[7]!.renew(), false);
  assert.equal(await next.renew(), true);
});

test('parts of incoming messages from before 0025 become octets that are joined as they were', async () => {
  const { sql } = await createDatabaseBefore(25);
  const texts = ['שלום 😀 ', 'and €{} \\ more'];
  for (const [index, text] of texts.entries()) {
    await sql`
      INSERT INTO incoming_parts (link, source, destination, reference, total, sequence, text, at)
      VALUES ('a', '972501', '1234', 7, 2, ${index + 1}, ${text}, 1)`;
  }
  await migrate(sql, tables);
  const rows = await sql<{ sequence: number; octets: Buffer; charset: Charset; data_coding: number }[]>`
    SELECT sequence, octets, charset, data_coding FROM incoming_parts`;
  const parts = rows.map(({ data_coding, ...row }) => ({ ...row, dataCoding: data_coding }));
  assert.deepEqual(joinParts(parts), { text: texts.join('') });
});

test('a migration is split into its statements, whatever texts and comments contain', async () => {
  const script = `-- First; not a statement.
    CREATE TABLE "a;b" (name text DEFAULT 'it''s; here'); -- after it; more
    ;
    DO $$ BEGIN PERFORM 1; END $$;
    SELECT '--'
  `;
  assert.deepEqual(statementsIn(script), [
    `CREATE TABLE "a;b" (name text DEFAULT 'it''s; here')`,
    'DO $$ BEGIN PERFORM 1; END $$',
    `SELECT '--'`,
  ]);
});
