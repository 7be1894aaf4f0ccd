import type { Channels } from '../channels/contract/channels.ts';
import { type Attach, type OpenDatabase, openDatabase, type SchemaUse } from '../database/open.ts';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import type { Logger } from '../kit/observability/log.ts';
import { type AppContext, type AppContextOptions, createAppContext } from './app-context.ts';
import { tablesOf } from './tables.ts';

interface OpenOptions extends AppContextOptions {
  /** Uses the embedded database of a running service; see `openDatabase`. */
  readonly attach?: Attach;
  /** Default: `require`. */
  readonly schema?: SchemaUse;
  /** See `openDatabase`. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the database and creates the app context. `clockOf` returns the clock of the opened database. Throws
 * DataFolderError, SchemaError, SecretKeyError, and database errors.
 */
export async function openAppContext(
  config: Config,
  channels: Channels,
  log: Logger,
  clockOf: (database: OpenDatabase) => Promise<Clock>,
  options: OpenOptions = {},
): Promise<AppContext> {
  const { attach = false, schema = 'require', signal } = options;
  const database = await openDatabase(config, { tables: tablesOf(channels), attach, schema, log, signal });
  return createAppContext({ config, channels, log, database, clockOf }, options);
}
