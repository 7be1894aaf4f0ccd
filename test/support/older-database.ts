import { readMigrations } from '../../server/database/migrate.ts';
import { createEmptyDatabase } from './database.ts';

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
