import type { Channels } from '../channels/contract/channels.ts';
import type { Sql } from '../database/connection.ts';
import type { Tables } from '../database/define-tables.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { IdSource } from './ids.ts';
import type { Logger } from './observability/log.ts';
import type { Tracing } from './observability/tracing/tracing.ts';

/**
 * Objects that nearly every module needs. Each module names those that it uses (`Pick<Context, 'sql' |
 * 'clock'>`).
 */
export interface Context {
  /** The settings. */
  readonly config: Config;
  readonly sql: Sql;
  /** For data that may be lost in a crash of the database (database/connection.ts). */
  readonly asyncCommitSql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly channels: Channels;
  /** The tables of all modules and channels. */
  readonly tables: Tables;
  /** Encrypts values that must not be stored in plain text. */
  readonly secrets: SecretBox;
  /** Undefined if tracing is off, and in commands. */
  readonly tracing?: Tracing | undefined;
}
