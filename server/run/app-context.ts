import type { Channels } from '../channels/contract/channels.ts';
import { asSql, type Sql, type TransactionSql } from '../database/connection.ts';
import type { DueLook } from '../database/due-look.ts';
import type { OpenDatabase } from '../database/open.ts';
import { maintainPartitions, makePartitions, makePartitionsOnDemand } from '../database/partitions.ts';
import { noProcessNumber, type ProcessNumber, takeProcessNumber } from '../database/processes.ts';
import { Events } from '../engine/events/events.ts';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import type { Context } from '../kit/context.ts';
import { createIdSource, noIds } from '../kit/ids.ts';
import { createNumberReader, displayNumber } from '../kit/numbers/phone-numbers.ts';
import { awaited } from '../kit/observability/awaited.ts';
import type { Logger } from '../kit/observability/log.ts';
import { AccountPasswords } from '../modules/accounts/account-passwords.ts';
import { Accounts } from '../modules/accounts/accounts.ts';
import { Prices } from '../modules/accounts/prices.ts';
import { TokenUses } from '../modules/accounts/token-uses.ts';
import { Tokens } from '../modules/accounts/tokens.ts';
import { Wallets } from '../modules/accounts/wallets.ts';
import { LandlineCodes } from '../modules/audience/landline-codes.ts';
import { SourceRequests } from '../modules/audience/source-requests.ts';
import { Sources } from '../modules/audience/sources.ts';
import { VerifiedPhones } from '../modules/audience/verified-phones.ts';
import { createPeopleModule, type PeopleModule } from '../modules/people/open.ts';
import { openSecrets, type Secrets } from '../secrets/open.ts';
import { sealPlainValues } from '../secrets/reseal.ts';
import { TextStorage } from '../secrets/text-storage.ts';

/** The app context: objects that every module and command needs. */
export interface AppContext extends Context {
  readonly database: OpenDatabase;
  readonly process: ProcessNumber;
  /** The keys of the secrets, for their rotation. */
  readonly secretKeys: Secrets;
  /** Storage of texts, by the mode of each account. */
  readonly textStorage: TextStorage;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly tokenUses: TokenUses;
  readonly wallets: Wallets;
  readonly prices: Prices;
  readonly sources: Sources;
  readonly sourceRequests: SourceRequests;
  readonly verifiedPhones: VerifiedPhones;
  readonly landlineCodes: LandlineCodes;
  readonly people: PeopleModule;
  /** Passwords of accounts, for programs. */
  readonly passwords: AccountPasswords;
  readonly numbers: ReturnType<typeof createNumberReader>;
}

/** How a process uses the app context. */
export interface AppContextOptions {
  /**
   * `service` (the default) maintains partitions, `change` adds the partitions that its rows need, `read` writes
   * nothing: no process number, no key, no partition.
   */
  readonly use?: 'service' | 'change' | 'read';
  /** Clock of the phones that show one-time passwords (second factor). Default: the machine's clock. */
  readonly phoneClock?: Clock;
  readonly allowLostKeys?: boolean;
}

interface AppContextDeps {
  readonly config: Config;
  readonly channels: Channels;
  readonly log: Logger;
  /** Closed with the app context. Must have the schema of this version. */
  readonly database: OpenDatabase;
  readonly clockOf: (database: OpenDatabase) => Promise<Clock>;
}

/** Creates the app context on an open database. Throws SecretKeyError, and database errors. */
export async function createAppContext(
  { config, channels, log, database, clockOf }: AppContextDeps,
  options: AppContextOptions,
): Promise<AppContext> {
  const { use = 'service' } = options;
  const { sql, tables } = database;
  const { secrets, processNumber, textStorage } = await joinProcesses(database, config, log, options);
  const clock = await clockOf(database);
  if (use !== 'read') {
    const making =
      use === 'service'
        ? maintainPartitions(sql, clock.now(), config, tables.partitioned)
        : makePartitions(sql, clock.now(), tables.partitioned);
    await awaited(log, 'partitions are made', making);
    makePartitionsOnDemand(database, tables.partitioned, log);
  }
  const ids = use === 'read' ? noIds : createIdSource(processNumber.number, clock);
  const numbers = createNumberReader(config.HOME_COUNTRY);
  const base = {
    config,
    channels,
    tables,
    log,
    clock,
    database,
    sql,
    asyncCommitSql: database.asyncCommitSql,
    process: processNumber,
    secrets: secrets.box,
    secretKeys: secrets,
    textStorage,
    ids,
    numbers,
    tokenUses: new TokenUses({ sql, log }),
    tracing: undefined,
  };
  return { ...base, ...storesOn(sql, base, options.phoneClock) };
}

/** Returns the same app context with all its statements in one transaction; nested transactions become savepoints. */
export function onTransaction(appContext: AppContext, tx: TransactionSql): AppContext {
  const sql = asSql(tx, appContext.database.sql);
  const database = { ...appContext.database, sql, asyncCommitSql: sql };
  return { ...appContext, database, sql, asyncCommitSql: sql, ...storesOn(sql, appContext) };
}

type Base = Pick<
  AppContext,
  'config' | 'channels' | 'log' | 'clock' | 'ids' | 'numbers' | 'secrets' | 'tokenUses'
>;

function storesOn(sql: Sql, base: Base, phoneClock?: Clock) {
  const { config, channels, log, clock, ids, numbers, secrets, tokenUses } = base;
  const sources = new Sources(sql, clock, numbers);
  const verifiedPhones = new VerifiedPhones({ sql, ids, clock, sources });
  const accounts = new Accounts(sql, ids, clock);
  const people = createPeopleModule({ sql, ids, clock, log, secrets, ...(phoneClock && { phoneClock }) });
  return {
    accounts,
    tokens: new Tokens({ sql, ids, clock, tokenUses }),
    wallets: new Wallets(sql, ids, clock),
    prices: new Prices(
      sql,
      Object.fromEntries([...channels].map((channel) => [channel.name, channel.defaultPrice(config)])),
    ),
    sources,
    sourceRequests: new SourceRequests({ sql, clock, sources }),
    verifiedPhones,
    landlineCodes: new LandlineCodes({ sql, clock, secrets, sources, verifiedPhones }),
    people,
    passwords: new AccountPasswords({ sql, clock, log, accounts, throttle: people.throttle }),
  };
}

/**
 * Takes a process number and opens the secrets, in this order, because a rotation of keys waits for starting processes.
 * Closes the database on failure.
 */
async function joinProcesses(
  database: OpenDatabase,
  config: Config,
  log: Logger,
  { use, allowLostKeys }: Pick<AppContextOptions, 'use' | 'allowLostKeys'>,
): Promise<{ secrets: Secrets; processNumber: ProcessNumber; textStorage: TextStorage }> {
  const { sql, tables } = database;
  let secrets: Secrets | undefined;
  let processNumber: ProcessNumber | undefined;
  try {
    const keys = () => secrets?.source.keys().map(({ id }) => id) ?? [];
    const readOnly = use === 'read';
    processNumber = readOnly
      ? noProcessNumber
      : await awaited(log, 'a process number is free', takeProcessNumber(sql, keys));
    secrets = await openSecrets(sql, config, log, { allowLostKeys, readOnly });
    await processNumber.renew();
    if (!secrets.isTemporary && !readOnly) await sealPlainValues(sql, tables.sealedColumns, secrets.box, log);
    const textStorage = await TextStorage.open({
      sql,
      log,
      // After the loss of the key nothing is sent, and no text can be decrypted.
      secrets: secrets.isTemporary ? undefined : secrets.box,
      mode: config.TEXT_STORAGE,
      readOnly,
    });
    for (const pool of [sql, database.asyncCommitSql]) pool.options.texts = textStorage;
    return { secrets, processNumber, textStorage };
  } catch (error) {
    await processNumber?.release();
    await database.close();
    throw error;
  }
}

/**
 * Creates the events module on an app context; with `deliver` false it records and manages events without sending them.
 */
export function createEventModule(
  appContext: Pick<
    AppContext,
    'config' | 'log' | 'clock' | 'database' | 'secrets' | 'process' | 'accounts' | 'ids' | 'tracing'
  >,
  options: { allowPrivate: boolean; deliver: boolean; dueLook?: DueLook },
) {
  const {
    config,
    log,
    clock,
    database,
    secrets,
    process: processNumber,
    accounts,
    ids,
    tracing,
  } = appContext;
  return new Events({
    sql: database.sql,
    asyncCommitSql: database.asyncCommitSql,
    placements: database.placements,
    ids,
    clock,
    secrets,
    log,
    tracing,
    boot: processNumber.boot,
    allowPrivate: options.allowPrivate,
    deliver: options.deliver,
    dueLook: options.dueLook,
    displayNumber,
    timeZoneOf: async (accountId) => (await accounts.byId(accountId))?.timeZone ?? config.TIME_ZONE,
  });
}

/** Releases the process number and closes the database. */
export async function closeAppContext(appContext: AppContext): Promise<void> {
  await appContext.textStorage.stop();
  await appContext.process.release().catch((error: unknown) => {
    appContext.log.warn({ err: error }, 'process number not released');
  });
  await appContext.database.close();
}

/** Resolves a setting that may be `auto`. */
export function switchOf(value: 'on' | 'off' | 'auto', auto: boolean): boolean {
  return value === 'auto' ? auto : value === 'on';
}

/** Returns the public address of the service, according to the settings. */
export function publicUrl(config: Config): string {
  return config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${config.HOST}:${config.PORT}`;
}
