import type { Config } from '../config.ts';
import { awaited } from '../observability/awaited.ts';
import type { Logger } from '../observability/log.ts';
import { connect, type Sql } from './connection.ts';
import { attachEmbedded, type EmbeddedPostgres, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPlacements, type Placements } from './placements.ts';

/** A database that is there and has the newest schema. */
export interface OpenDatabase {
  readonly sql: Sql;
  /** The same database, for leases and the removal of finished work: see `connect`. */
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  /** Whether it is the embedded one, which has this process alone. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name and migrates it. With `attach` (for commands beside a running service)
 * the embedded one is shared. Throws DataFolderError, and what the database throws.
 */
export async function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_CONNECTIONS' | 'DATABASE_STATEMENT_SECONDS'>,
  options: { attach?: boolean; log?: Logger } = {},
): Promise<OpenDatabase> {
  let embedded: EmbeddedPostgres | undefined;
  if (config.DATABASE_URL === undefined) {
    const starting = options.attach ? attachEmbedded(config.DATA_DIR) : startEmbedded(config.DATA_DIR);
    embedded = await awaited(options.log, 'the embedded PostgreSQL starts', starting);
  }
  const target = embedded?.target ?? { url: config.DATABASE_URL! };
  // Of the connections allowed, every fourth is of the async-commit kind.
  const few = Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 4));
  const statementMs = config.DATABASE_STATEMENT_SECONDS * 1_000;
  const sql = connect(target, { max: config.DATABASE_CONNECTIONS - few, statementMs });
  const asyncCommitSql = connect(target, { max: few, asyncCommit: true, statementMs });
  let placements: Placements;
  try {
    await awaited(options.log, 'the database answers', checkVersion(sql));
    const migrated = migrate(sql, options.log);
    await awaited(options.log, 'the schema is brought up to date (or another process does it)', migrated);
    placements = await openPlacements(sql, [sql, asyncCommitSql]);
  } catch (error) {
    await sql.end({ timeout: 0 });
    await embedded?.stop();
    throw error;
  }
  return {
    sql,
    asyncCommitSql,
    placements,
    embedded: embedded !== undefined,
    async close() {
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
