import { shareClock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import { awaited } from '../kit/observability/awaited.ts';
import type { Logger } from '../kit/observability/log.ts';
import { connect, type Sql } from './connection.ts';
import type { Tables } from './define-tables.ts';
import { attachEmbedded, type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { leaseClock } from './lease-clock.ts';
import { migrate } from './migrate.ts';
import { openPlacements, type Placements } from './placements.ts';
import { readSchema, requireSchema, type SchemaState } from './schema-state.ts';

/**
 * Treatment of the schema when a database is opened. `migrate` applies the missing migrations and creates the database
 * of an empty data folder; only `start`, `serve` and `carillon migrate` use it. `require` refuses a database that lacks
 * migrations, and `inspect` accepts any; both change nothing.
 */
export type SchemaUse = 'migrate' | 'require' | 'inspect';

/**
 * How a command uses the embedded database: `true` shares that of a running service, or starts it if no service runs;
 * `running` only shares it; `false` opens it for this process alone.
 */
export type Attach = boolean | 'running';

/** A database that can be reached. */
export interface OpenDatabase {
  /** Schema when the database was opened, or after its migration. */
  readonly schema: SchemaState;
  readonly tables: Tables;
  readonly sql: Sql;
  /** The same database, for leases and the removal of finished work: see `connect`. */
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  readonly embedded: boolean;
  /** Whether only this process uses it: the embedded database of a service with one process. */
  readonly isAlone: boolean;
  close(): Promise<void>;
}

interface OpenOptions {
  /** The tables of this version. */
  readonly tables: Tables;
  /** `require` without it. */
  readonly schema?: SchemaUse;
  readonly attach?: Attach;
  readonly log?: Logger;
  /** Aborted when the process is asked to stop while it opens the database. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the database that the settings name. With `attach`, a command shares the embedded database of a running service, and
 * starts the database if no service runs, unless `attach` is `running`.
 * Throws DataFolderError, SchemaError, the reason of `signal`, and what the database throws.
 */
export async function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_CONNECTIONS' | 'DATABASE_STATEMENT_SECONDS'>,
  { tables, schema: use = 'require', attach, log, signal }: OpenOptions,
): Promise<OpenDatabase> {
  let embedded: EmbeddedPostgres | undefined;
  if (config.DATABASE_URL === undefined) {
    const starting = attach
      ? attachEmbedded(config.DATA_DIR, { create: use === 'migrate', running: attach === 'running' })
      : startEmbedded(config.DATA_DIR, { log });
    embedded = await awaited(log, 'the embedded PostgreSQL starts', starting);
  }
  const target = embedded?.target ?? { url: config.DATABASE_URL! };
  // A quarter of the allowed connections use asynchronous commits.
  const few = Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 4));
  const statementMs = config.DATABASE_STATEMENT_SECONDS * 1_000;
  const sql = connect(target, { max: config.DATABASE_CONNECTIONS - few, statementMs });
  const asyncCommitSql = connect(target, { max: few, asyncCommit: true, statementMs });
  let placements: Placements;
  let schema: SchemaState;
  try {
    await awaited(log, 'the database answers', checkVersion(sql));
    if (use === 'migrate') {
      const migrated = migrate(sql, tables, log, signal);
      await awaited(log, 'the schema is brought up to date (or another process does it)', migrated);
    }
    schema = await readSchema(sql, tables);
    if (use === 'require') requireSchema(schema, log);
    signal?.throwIfAborted();
    await leaseClock.follow(sql, log);
    // The embedded database has the clock of this machine, and no other process.
    if (!embedded) shareClock(() => leaseClock.measured);
    placements = await openPlacements(sql, [sql, asyncCommitSql]);
  } catch (error) {
    leaseClock.leave(sql);
    await sql.end({ timeout: 0 });
    await embedded?.stop();
    throw error;
  }
  return {
    schema,
    tables,
    sql,
    asyncCommitSql,
    placements,
    embedded: embedded !== undefined,
    isAlone: embedded !== undefined && !attach,
    async close() {
      leaseClock.leave(sql);
      await placements.stop();
      await Promise.all([sql.end({ timeout: 2 }), asyncCommitSql.end({ timeout: 2 })]);
      await embedded?.stop();
    },
  };
}

async function checkVersion(sql: Sql): Promise<void> {
  const [row] = await sql<
    { version: number }[]
  >`SELECT current_setting('server_version_num')::int AS version`;
  if (row!.version < 150_000) throw new Error('PostgreSQL 15 or later is needed');
}
