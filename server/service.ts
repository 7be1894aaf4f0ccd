import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { Accounts } from './accounts/accounts.ts';
import { PasswordChecks } from './accounts/passwords.ts';
import { Prices } from './accounts/prices.ts';
import { Tokens } from './accounts/tokens.ts';
import { Wallets } from './accounts/wallets.ts';
import { Blacklist } from './audience/blacklist.ts';
import { Sources } from './audience/sources.ts';
import { type CarrierConfiguration, readCarriers } from './carriers/configuration.ts';
import { Routing } from './carriers/routing.ts';
import { createSmppLink } from './carriers/smpp/link.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type OpenDatabase, openDatabase } from './database/open.ts';
import { maintainPartitions } from './database/partitions.ts';
import { type ProcessNumber, takeProcessNumber } from './database/processes.ts';
import { releaseAllLeases } from './dispatch/batches.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { Inbound } from './dispatch/inbound.ts';
import { Receipts } from './dispatch/receipts.ts';
import { Recorder } from './dispatch/recorder.ts';
import { Signals } from './dispatch/signals.ts';
import { createEvents } from './events/events.ts';
import { createIdSource } from './ids.ts';
import { closeHttpServer, createHttpServer } from './interfaces/http-server.ts';
import { operatorDoor } from './interfaces/operator/door.ts';
import { smsDoor } from './interfaces/sms-api/door.ts';
import { Jobs } from './jobs.ts';
import { Acceptor } from './messages/accept.ts';
import { Canceller } from './messages/cancel.ts';
import { createNumberReader, displayNumber } from './numbers/numbers.ts';
import type { Logger } from './observability/log.ts';
import { metrics } from './observability/metrics.ts';

/** What a process does: takes requests, sends, keeps house. */
export const roles = ['api', 'dispatch', 'jobs'] as const;
export type Role = (typeof roles)[number];

/** The sandbox, as far as the service knows it; `main.ts` brings it. */
export interface SandboxHandle {
  readonly carriers: CarrierConfiguration;
  readonly demoAccountId: number;
  readonly door: (app: FastifyInstance) => Promise<void>;
  close(): Promise<void>;
}

/** The rooms that everything else stands on; for the commands too. */
export interface Foundation {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: OpenDatabase;
  readonly process: ProcessNumber;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly wallets: Wallets;
  readonly prices: Prices;
  readonly sources: Sources;
  readonly numbers: ReturnType<typeof createNumberReader>;
  readonly ids: ReturnType<typeof createIdSource>;
}

const HEARTBEAT_MS = 10_000;

/** Opens the database and lays the rooms on it. `clockOf` gives the clock once there is a database. */
export async function layFoundation(
  config: Config,
  log: Logger,
  clockOf: (database: OpenDatabase) => Promise<Clock>,
  options: { attach?: boolean } = {},
): Promise<Foundation> {
  const database = await openDatabase(config, options);
  const { sql } = database;
  const processNumber = await takeProcessNumber(sql);
  const clock = await clockOf(database);
  await maintainPartitions(sql, clock.now(), config.KEEP_DAYS);
  const ids = createIdSource(processNumber.number, clock);
  const numbers = createNumberReader(config.HOME_COUNTRY);
  return {
    config,
    log,
    clock,
    database,
    process: processNumber,
    ids,
    numbers,
    accounts: new Accounts(sql, ids, clock),
    tokens: new Tokens(sql, ids, clock),
    wallets: new Wallets(sql, ids, clock),
    prices: new Prices(sql, config.DEFAULT_PART_PRICE),
    sources: new Sources(sql, clock, numbers),
  };
}

/** The events' room on a foundation; with `deliver` false it records and manages but sends nothing. */
export function createEventRoom(
  foundation: Foundation,
  options: { allowPrivate: boolean; deliver: boolean },
) {
  const { config, log, clock, database, process: processNumber, accounts, ids } = foundation;
  return createEvents({
    sql: database.sql,
    relaxed: database.relaxed,
    ids,
    clock,
    log,
    boot: processNumber.boot,
    allowPrivate: options.allowPrivate,
    deliver: options.deliver,
    displayNumber,
    timeZoneOf: async (accountId) => (await accounts.byId(accountId))?.timeZone ?? config.TIME_ZONE,
  });
}

export interface RunningService {
  /** Where it answers, when it has the role `api`. */
  readonly url: string | undefined;
  /** Finishes what is in flight, within `graceMs`, and stops. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a service with these roles. Throws what keeps it from starting. */
export async function startService(
  foundation: Foundation,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  onFatal: (error: Error) => void,
): Promise<RunningService> {
  const { config, log, clock, database, ids, numbers } = foundation;
  const { sql } = database;
  const owner = foundation.process.boot;
  if (database.embedded) await releaseAllLeases(sql);
  const carriers = sandbox?.carriers ?? readCarriers(config) ?? { links: [], routes: [] };
  const routing = new Routing(carriers.routes);
  const has = (role: Role) => wanted.includes(role);

  const events = createEventRoom(foundation, {
    allowPrivate: switchOf(config.WEBHOOKS_TO_PRIVATE_ADDRESSES, sandbox !== undefined),
    deliver: has('jobs'),
  });
  const signals = new Signals(sql, log);
  const recorder = new Recorder({ sql, ids, clock, events, log });
  const receipts = new Receipts({ sql, ids, clock, recorder, log });
  const inbound = new Inbound({
    sql,
    ids,
    clock,
    events,
    log,
    numbers,
    fallbackAccount: () => sandbox?.demoAccountId,
  });
  const dispatcher = has('dispatch')
    ? new Dispatcher({
        sql,
        relaxed: database.relaxed,
        ids,
        clock,
        log,
        owner,
        routing,
        recorder,
        receipts,
        inbound,
        carriers: carriers.links.map((link) => createSmppLink(link, { log, clock })),
      })
    : undefined;
  const jobs = has('jobs') ? new Jobs({ sql, clock, log, keepDays: config.KEEP_DAYS, inbound }) : undefined;

  let app: FastifyInstance | undefined;
  try {
    await foundation.accounts.reload();
    await events.start();
    jobs?.start();
    if (dispatcher) {
      await signals.listen(
        () => dispatcher.hintAny(),
        (cancelled) => dispatcher.cancelled(cancelled),
      );
      await dispatcher.start();
    }
    if (has('api')) app = await openDoors();
  } catch (error) {
    await stopRooms(0);
    throw error;
  }
  const heartbeat = setInterval(() => {
    foundation.process.renew().then(
      (ours) => {
        if (!ours) onFatal(new Error('this process was not seen for a minute and has lost its number'));
      },
      (error: unknown) => log.warn({ err: error }, 'could not tell the database that we are alive'),
    );
  }, HEARTBEAT_MS);

  async function openDoors(): Promise<FastifyInstance> {
    const acceptor = new Acceptor({
      sql,
      ids,
      clock,
      routing,
      events,
      prices: foundation.prices,
      wallets: foundation.wallets,
      validityMs: config.VALIDITY_HOURS * 3_600_000,
      wake(accountId, lane) {
        dispatcher?.hint(accountId, lane);
        // The embedded database has this process alone: nobody else is listening.
        if (!database.embedded) signals.announceDue();
      },
    });
    const canceller = new Canceller({
      sql,
      ids,
      clock,
      announce(cancelled) {
        // Ours at once, so that it does not rest on a hint.
        dispatcher?.cancelled(cancelled);
        if (!database.embedded) signals.announceCancelled(cancelled);
      },
    });
    const server = await createHttpServer({ trustProxy: config.TRUST_PROXY });
    await server.register(operatorDoor, { problems });
    await server.register(smsDoor, {
      services: {
        ...foundation,
        sql,
        acceptor,
        canceller,
        blacklist: new Blacklist({ sql, ids, clock, events }),
        verifySources: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
      },
      signIn: { ...foundation, passwords: new PasswordChecks() },
      log,
      defaultZone: config.TIME_ZONE,
      accountLimit: sandbox ? 0 : config.RATE_LIMIT_ACCOUNT,
      addressLimit: sandbox ? 0 : config.RATE_LIMIT_ADDRESS,
    });
    if (sandbox) await server.register(sandbox.door);
    await server.listen({ host: config.HOST, port: config.PORT });
    return server;
  }

  /** Requests first, so that nothing new comes; then what they led to; events last, since sending makes them. */
  async function stopRooms(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    const left = () => Math.max(0, deadline - performance.now());
    if (app) await closeHttpServer(app, left() * 0.3);
    await dispatcher?.stop(left() * 0.6);
    await signals.stop();
    await jobs?.stop();
    await events.stop(left() * 0.8);
  }

  async function problems(): Promise<string[]> {
    const found: string[] = [];
    const limit = AbortSignal.timeout(2_000);
    const late = new Promise((_resolve, reject) => {
      limit.addEventListener('abort', () => reject(new Error('no answer within 2 seconds')), { once: true });
    });
    await Promise.race([sql`SELECT 1`, late]).catch((error: Error) =>
      found.push(`database: ${error.message}`),
    );
    if (dispatcher && !dispatcher.ready) found.push('carriers: no link is up');
    return found;
  }

  return {
    url: app && addressOf(app, config),
    async stop(graceMs) {
      clearInterval(heartbeat);
      await stopRooms(graceMs);
      await sandbox?.close();
      await closeFoundation(foundation);
    },
  };
}

/** Gives back the process number and closes the database. */
export async function closeFoundation(foundation: Foundation): Promise<void> {
  await foundation.process.release().catch((error: unknown) => {
    foundation.log.warn({ err: error }, 'the process number was not given back');
  });
  await foundation.database.close();
}

/** Resolves a setting that may be `auto`. */
export function switchOf(value: 'on' | 'off' | 'auto', auto: boolean): boolean {
  return value === 'auto' ? auto : value === 'on';
}

function addressOf(app: FastifyInstance, config: Config): string {
  if (config.PUBLIC_URL) return config.PUBLIC_URL.replace(/\/$/, '');
  const { family, address, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

collectDefaultMetrics({ register: metrics });
