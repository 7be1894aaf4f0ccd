import { CarillonError } from '../../client/src/errors.ts';
import { channels } from '../channels/index.ts';
import { DistributionError } from '../database/distribution.ts';
import { DataFolderError } from '../database/embedded-files.ts';
import { type OpenDatabase, openDatabase } from '../database/open.ts';
import { isUsable, SchemaError } from '../database/schema-state.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { CarrierConfigurationError } from '../engine/carriers/configuration.ts';
import { type Config, ConfigError, readConfig } from '../kit/config.ts';
import { Refusal } from '../kit/errors.ts';
import { createLogger } from '../kit/observability/log.ts';
import { settingFrom } from '../kit/setting-files.ts';
import { TooManyTokens } from '../modules/accounts/tokens.ts';
import { NotEnoughCredit } from '../modules/accounts/wallets.ts';
import { type AppContext, closeAppContext, createAppContext, onTransaction } from '../run/app-context.ts';
import { openAppContext } from '../run/open-app-context.ts';
import { tablesOf } from '../run/tables.ts';
import { loadClock } from '../sandbox/clock-store.ts';
import { SecretKeyError } from '../secrets/problems.ts';
import { auditCall, describeChange, onlyReads } from './audited.ts';

/** A command that cannot be carried out, for a reason that its user can mend. */
export class CommandError extends Error {}

/** The option that every command on the database has (manage.ts). */
export interface Json {
  json?: boolean;
}

/** What a command has printed whose change is not stored yet. */
let held: string[] | undefined;

/**
 * Runs a command on the database of the settings, beside a running service or alone: in one transaction with its entry in
 * the audit log, and what it prints comes after the commit. With `steps` the work has transactions of its own, and the
 * entry is there before it, but after `check`, which throws or returns false when there is nothing to do. With `running` it starts no embedded
 * database. With `allowLostKeys` it runs when secrets in the database cannot be opened.
 */
export async function withAppContext(
  work: (appContext: AppContext) => Promise<void>,
  options: {
    steps?: boolean;
    running?: boolean;
    check?: (appContext: AppContext) => Promise<unknown>;
    allowLostKeys?: boolean;
  } = {},
): Promise<void> {
  const { config, log } = commandSettings();
  const appContext = await openAppContext(config, channels, log, clockOf, {
    attach: options.running ? 'running' : true,
    use: onlyReads() ? 'read' : 'change',
    ...(options.allowLostKeys && { allowLostKeys: true }),
  });
  try {
    if (options.steps) {
      if ((await options.check?.(appContext)) === false) return;
      if (!onlyReads()) await auditCall(appContext, appContext.database.sql);
      await work(appContext);
    } else await inTransaction(appContext, work);
  } finally {
    await closeAppContext(appContext);
  }
}

const clockOf = ({ sql }: OpenDatabase) => loadClock(sql);

function commandSettings() {
  const config = readConfig(process.env, channels);
  return { config, log: createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL) };
}

/** A deployment as a command sees it that works on any schema and changes nothing. */
interface Deployment {
  readonly config: Config;
  readonly database: OpenDatabase;
  /** Undefined when the database does not have the schema of this version, or of a later one that it can run on. */
  readonly appContext: AppContext | undefined;
}

/** Runs a command that only reads, whatever the schema of the database is. Throws as `withAppContext` does. */
export async function withDeployment(work: (deployment: Deployment) => Promise<void>): Promise<void> {
  const { config, log } = commandSettings();
  const database = await openDatabase(config, {
    tables: tablesOf(channels),
    attach: true,
    schema: 'inspect',
    log,
  });
  if (!isUsable(database.schema)) {
    try {
      await work({ config, database, appContext: undefined });
    } finally {
      await database.close();
    }
    return;
  }
  const appContext = await createAppContext({ config, channels, log, database, clockOf }, { use: 'read' });
  try {
    await work({ config, database, appContext });
  } finally {
    await closeAppContext(appContext);
  }
}

async function inTransaction(
  appContext: AppContext,
  work: (appContext: AppContext) => Promise<void>,
): Promise<void> {
  const printed: string[] = [];
  held = printed;
  try {
    await appContext.database.sql.begin(async (tx) => {
      if (onlyReads()) await tx`SET TRANSACTION READ ONLY`;
      const inside = onTransaction(appContext, tx);
      await inside.accounts.reload();
      await work(inside);
      if (!onlyReads()) await auditCall(inside, tx);
    });
  } finally {
    held = undefined;
  }
  for (const line of printed) console.log(line);
}

/** Finds an account by user name, whose audit log has the entry. Throws CommandError. */
export async function accountNamed(appContext: AppContext, username: string) {
  const account = await appContext.accounts.byUsername(username);
  if (!account) throw new CommandError(`there is no account "${username}"`);
  describeChange(appContext, { accountId: account.id });
  return account;
}

/** Prints a result: as JSON for programs, or in words. */
export function print(json: boolean | undefined, value: unknown, words: string): void {
  const line = json ? JSON.stringify(value) : words;
  if (held) held.push(line);
  else console.log(line);
}

const expected = [
  CommandError,
  ConfigError,
  CarrierConfigurationError,
  DataFolderError,
  DistributionError,
  SchemaError,
  SecretKeyError,
  TooManyTokens,
  NotEnoughCredit,
  Refusal,
];

/**
 * Says why a command failed, with a stack only where it is our fault, and ends the process with 1: whatever of a
 * service was started before the failure must not keep it alive.
 */
export function report(error: unknown): never {
  const words = expected.some((kind) => error instanceof kind)
    ? (error as Error).message
    : error instanceof CarillonError
      ? `${error.message} (${error.code})`
      : surroundings(error as NodeJS.ErrnoException & { hostname?: string });
  console.error(words === undefined ? error : `carillon: ${words}`);
  process.exit(1);
}

/** Words for why a database cannot be read now, and may be later; undefined for every other error. */
export function whyUnavailable(error: unknown): string | undefined {
  if (error instanceof DataFolderError || error instanceof SchemaError) return error.message;
  return databaseWords(error as NodeJS.ErrnoException);
}

/** Words for what is wrong around us and not with us; undefined for all else. */
function surroundings(error: NodeJS.ErrnoException & { hostname?: string }): string | undefined {
  const { code = '', syscall, message, hostname } = error;
  if (code === 'EADDRINUSE') return 'the port is in use by another program: set PORT';
  if (
    syscall === 'listen' ||
    (hostname !== undefined && hostname === settingFrom(process.env, 'HOST')?.value)
  ) {
    return `cannot listen: ${message}: set HOST and PORT`;
  }
  if (syscall === 'mkdir') return `the data folder cannot be made: ${message}: set DATA_DIR`;
  return databaseWords(error);
}

/** Words for a database that does not answer or does not exist; undefined for all else. */
function databaseWords(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', message } = error;
  // 3D000: the database does not exist.
  const isMissing = error.name === 'PostgresError' && code.startsWith('3D');
  if (!isMissing && code !== 'ENOTFOUND' && !isDatabaseTrouble(error)) return undefined;
  return settingFrom(process.env, 'DATABASE_URL') === undefined
    ? `the embedded database cannot be used: ${message}`
    : `the database cannot be used: ${message}: check DATABASE_URL`;
}
