import type { Logger } from '../kit/observability/log.ts';
import type { Queryable, Sql } from './connection.ts';
import type { Tables } from './define-tables.ts';
import { distributeNewTables } from './distribution.ts';
import { GIVE_WAY_MS, givingWay } from './give-way.ts';
import { type Migration, readMigrations } from './migration-files.ts';
import { compareSchema, refuseNewerSchema } from './schema-state.ts';

// Key of the advisory lock of migrations; arbitrary.
const LOCK = 20_25_01_01;
// Milliseconds; a migration may rewrite a table of a hundred million rows.
const DEADLINE_MS = 6 * 3_600_000;

/**
 * Applies the missing migrations, each in its own transaction. Two processes that start together take turns, and the
 * second one has nothing left to apply. New tables of a distributed database are distributed. Returns the number of
 * applied migrations. Leaves the schema of a later version unchanged, and logs that. Throws SchemaError if this version
 * cannot run with it, and the reason of `signal` before a migration if it is aborted; the next start continues.
 */
export async function migrate(
  sql: Sql,
  tables: Pick<Tables, 'placements' | 'migrationFolders'>,
  log?: Pick<Logger, 'warn'>,
  signal?: AbortSignal,
): Promise<number> {
  const migrations = await readMigrations(tables.migrationFolders);
  const connection = await sql.reserve({ deadlineMs: DEADLINE_MS });
  try {
    await connection`SELECT pg_advisory_lock(${LOCK})`;
    await connection`
      CREATE TABLE IF NOT EXISTS migrations (
        number smallint NOT NULL CONSTRAINT migrations_pkey PRIMARY KEY,
        name text NOT NULL,
        applied_at bigint NOT NULL
      )`;
    await connection`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS requires smallint NOT NULL DEFAULT 0`;
    const rows = await connection<
      { number: number; requires: number }[]
    >`SELECT number, requires FROM migrations`;
    const state = compareSchema(migrations, rows);
    refuseNewerSchema(state, log);
    const { missing } = state;
    for (const migration of missing) {
      signal?.throwIfAborted();
      await givingWay(() => apply(connection, migration)).catch((error: unknown) => {
        throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error });
      });
    }
    if (missing.length > 0) await distributeNewTables(connection, tables.placements);
    await connection`SELECT pg_advisory_unlock(${LOCK})`;
    return missing.length;
  } finally {
    connection.release();
  }
}

/** Statement by statement: Citus forwards the text to the nodes, which accept one statement in it. */
async function apply(
  connection: Queryable,
  { number, name, statements, requires }: Migration,
): Promise<void> {
  try {
    await connection.unsafe('BEGIN');
    await connection.unsafe(`SET LOCAL lock_timeout = ${GIVE_WAY_MS}`);
    for (const statement of statementsIn(statements)) await connection.unsafe(statement);
    await connection`INSERT INTO migrations VALUES (${number}, ${name}, ${Date.now()}, ${requires})`;
    await connection.unsafe('COMMIT');
  } catch (error) {
    await connection.unsafe('ROLLBACK');
    throw error;
  }
}

/** A comment, a text, a quoted name, the end of a statement, a run of other characters, or any single character. */
const TOKEN = /--[^\n]*|'[^']*'|"[^"]*"|\$\$[^$]*\$\$|;|[^-'"$;]+|[^;]/g;

/** Returns the statements of a script, without comments. */
export function statementsIn(script: string): string[] {
  const statements = [''];
  for (const [token] of script.matchAll(TOKEN)) {
    if (token === ';') statements.push('');
    else if (!token.startsWith('--')) statements[statements.length - 1] += token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
