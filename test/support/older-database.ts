import type { Sql } from '../../server/database/connection.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { maintainPartitions } from '../../server/database/partitions.ts';
import { createEmptyDatabase } from './database.ts';
import { tables } from './tables.ts';

/** A database as the versions before the migration of this number left it. */
export async function createDatabaseBefore(number: number): ReturnType<typeof createEmptyDatabase> {
  const { sql, target } = await createEmptyDatabase();
  await sql`
    CREATE TABLE migrations (number smallint NOT NULL CONSTRAINT migrations_pkey PRIMARY KEY, name text NOT NULL,
      applied_at bigint NOT NULL)`;
  for (const migration of await readMigrations()) {
    if (migration.number >= number) continue;
    await sql.unsafe(migration.statements);
    await sql`INSERT INTO migrations VALUES (${migration.number}, ${migration.name}, 0)`;
  }
  return { sql, target };
}

/** Makes the partitions of the tables that a database of an earlier version has, for `at` (milliseconds since the epoch). */
export async function makePartitionsBefore(sql: Sql, at: number): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid`;
  const there = new Set(rows.map(({ name }) => name));
  const older = tables.partitioned.filter(({ table }) => there.has(table));
  await maintainPartitions(sql, at, { KEEP_DAYS: 400, REQUEST_LOG_DAYS: 7 }, older);
}
