import type { Logger } from '../kit/observability/log.ts';
import type { Queryable } from './connection.ts';
import type { Tables } from './define-tables.ts';
import { type Migration, readMigrations } from './migration-files.ts';

/** A schema that this version of the program cannot use; the message says what to do. */
export class SchemaError extends Error {}

/** The schema of a database, compared with the one of this version. */
export interface SchemaState {
  /** Number of the last applied migration; 0 for a database without a schema. */
  readonly last: number;
  /** Number of the last migration that this version knows. */
  readonly known: number;
  /** The migrations of this version that the database lacks, in their order. */
  readonly missing: readonly Migration[];
  /** Number of the migration that a version must know to run on this schema; 0 if every version can. */
  readonly required: number;
}

/** Reads the schema of a database without changes. Rejects with errors of the database. */
export async function readSchema(
  sql: Queryable,
  { migrationFolders }: Pick<Tables, 'migrationFolders'>,
): Promise<SchemaState> {
  const migrations = await readMigrations(migrationFolders);
  const [table] = await sql<{ exists: boolean }[]>`SELECT to_regclass('migrations') IS NOT NULL AS exists`;
  // Version 0.1.0 has no column `requires`.
  const rows = table!.exists
    ? await sql<{ number: number; requires: number }[]>`
        SELECT number, coalesce((to_jsonb(m)->>'requires')::int, 0) AS requires FROM migrations m`
    : [];
  return compareSchema(migrations, rows);
}

/** Compares the migrations of this version with the rows of the table `migrations`. */
export function compareSchema(
  migrations: readonly Migration[],
  rows: readonly { readonly number: number; readonly requires: number }[],
): SchemaState {
  const applied = new Set(rows.map(({ number }) => number));
  return {
    last: Math.max(0, ...applied),
    known: migrations.at(-1)?.number ?? 0,
    // Not only those after the last one: branches merged in another order bring lower numbers later.
    missing: migrations.filter(({ number }) => !applied.has(number)),
    required: Math.max(0, ...rows.map(({ requires }) => requires)),
  };
}

/**
 * Throws SchemaError when a later version has written the schema and this version cannot run on it. Logs a warning when it can.
 */
export function refuseNewerSchema({ last, known, required }: SchemaState, log?: Pick<Logger, 'warn'>): void {
  if (required > known) {
    throw new SchemaError(
      `the database is at migration ${last}, which versions that know migration ${required} can run with; this version of Carillon knows ${known}: start a newer version`,
    );
  }
  if (last > known)
    log?.warn(
      { migration: last, known },
      'the schema is that of a later version, which this one can run with',
    );
}

/** Whether this version can work with a schema: no migration is missing, and a later version requires nothing that it lacks. */
export const isUsable = ({ known, missing, required }: SchemaState): boolean =>
  missing.length === 0 && required <= known;

/** Throws SchemaError when the database lacks migrations of this version, with the commands that show and apply them. */
export function requireSchema(state: SchemaState, log?: Pick<Logger, 'warn'>): void {
  refuseNewerSchema(state, log);
  const { last, known, missing } = state;
  if (missing.length === 0) return;
  throw new SchemaError(
    last === 0
      ? 'the database has no schema yet: start the service, or run `carillon migrate`'
      : `the database has the schema of migration ${last}, and this version needs ${known} (missing migrations: ${missing.length}); nothing was changed: \`carillon migrate --dry-run\` lists them, \`carillon migrate\` applies them`,
  );
}
