import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { Accounts } from './accounts/accounts.ts';
import { PasswordChecks } from './accounts/passwords.ts';
import { Prices } from './accounts/prices.ts';
import { Subscribers } from './accounts/subscribers.ts';
import { Tokens } from './accounts/tokens.ts';
import { Wallets } from './accounts/wallets.ts';
import { Blacklist } from './audience/blacklist.ts';
import { ContactLists } from './audience/contact-lists.ts';
import { ContactWork } from './audience/contact-work.ts';
import { CsvJobs } from './audience/csv-jobs.ts';
import { Exports } from './audience/exports.ts';
import { Imports } from './audience/imports.ts';
import { createRemovalWords } from './audience/removal-words.ts';
import { SourceRequests } from './audience/source-requests.ts';
import { Sources } from './audience/sources.ts';
import { VerifiedPhones } from './audience/verified-phones.ts';
import { type CarrierConfiguration, readCarriers } from './carriers/configuration.ts';
import { Routing } from './carriers/routing.ts';
import { createSmppLink } from './carriers/smpp/link.ts';
import { unmadeCampaigns } from './chat/campaign-rows.ts';
import { createChatRoom } from './chat/room.ts';
import { takeBack } from './chat/take-back.ts';
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
import { type Cancelled, Signals } from './dispatch/signals.ts';
import { createEvents } from './events/events.ts';
import { createIdSource } from './ids.ts';
import { chatDoor } from './interfaces/chat-api/door.ts';
import { CHAT_WEBHOOKS_PATH, chatWebhooks } from './interfaces/chat-webhooks/door.ts';
import { consoleDoor, reserveSegments } from './interfaces/console/door.ts';
import { docsDoor } from './interfaces/docs/door.ts';
import { closeHttpServer, createHttpServer, version } from './interfaces/http-server.ts';
import { gatherRoutes } from './interfaces/openapi/description.ts';
import { operatorDoor } from './interfaces/operator/door.ts';
import { CONTACT_PATH, contactPage } from './interfaces/public-pages/contact.ts';
import { linkPages } from './interfaces/public-pages/links.ts';
import { verifyPages } from './interfaces/public-pages/verify.ts';
import { logRequests } from './interfaces/request-notes.ts';
import { smsDoor } from './interfaces/sms-api/door.ts';
import { auditPart } from './interfaces/v1/audit.ts';
import { blacklistPart } from './interfaces/v1/blacklist.ts';
import { chatCampaignsPart } from './interfaces/v1/chat-campaigns.ts';
import { chatNumbersPart } from './interfaces/v1/chat-numbers.ts';
import { chatSendingPart } from './interfaces/v1/chat-sending.ts';
import { chatTemplatesPart } from './interfaces/v1/chat-templates.ts';
import { contactListsPart } from './interfaces/v1/contact-lists.ts';
import { contactsPart } from './interfaces/v1/contacts.ts';
import { csvJobsPart } from './interfaces/v1/csv-jobs.ts';
import { v1Door } from './interfaces/v1/door.ts';
import { linksPart } from './interfaces/v1/links.ts';
import { livePart } from './interfaces/v1/live.ts';
import { messagesPart } from './interfaces/v1/messages.ts';
import { operatorPart } from './interfaces/v1/operator.ts';
import { operatorChatPart } from './interfaces/v1/operator-chat.ts';
import { operatorNetworkPart, type SandboxControls } from './interfaces/v1/operator-network.ts';
import { operatorPricesPart } from './interfaces/v1/operator-prices.ts';
import { operatorSendersPart } from './interfaces/v1/operator-senders.ts';
import { otpPart } from './interfaces/v1/otp.ts';
import { overviewPart } from './interfaces/v1/overview.ts';
import { peoplePart } from './interfaces/v1/people.ts';
import { requestLogPart } from './interfaces/v1/request-log.ts';
import { secondFactorPart } from './interfaces/v1/second-factor.ts';
import { sessionPart } from './interfaces/v1/session.ts';
import { shipmentsPart } from './interfaces/v1/shipments.ts';
import { smsPart } from './interfaces/v1/sms.ts';
import { sourcesPart } from './interfaces/v1/sources.ts';
import { subscribersPart } from './interfaces/v1/subscribers.ts';
import { tokensPart } from './interfaces/v1/tokens.ts';
import { walletsPart } from './interfaces/v1/wallets.ts';
import { webhookDeliveriesPart } from './interfaces/v1/webhook-deliveries.ts';
import { webhooksPart } from './interfaces/v1/webhooks.ts';
import { Jobs } from './jobs.ts';
import { Clicks } from './links/clicks.ts';
import { Codes } from './links/codes.ts';
import { Links } from './links/links.ts';
import { Removals } from './links/removals.ts';
import { Changes } from './live/changes.ts';
import { LiveHub, type PhoneFeed } from './live/hub.ts';
import { Acceptor } from './messages/accept.ts';
import { Canceller } from './messages/cancel.ts';
import { Expander } from './messages/expander.ts';
import { MessageHours } from './messages/hours.ts';
import type { Lane } from './messages/lanes.ts';
import { Pauser } from './messages/pausing.ts';
import { PhoneVerifier } from './messages/phone-verifier.ts';
import { removalWordOf } from './messages/removal-reply.ts';
import { ShipmentProgress } from './messages/shipment-progress.ts';
import { createNumberReader, displayNumber } from './numbers/numbers.ts';
import type { Logger } from './observability/log.ts';
import { metrics } from './observability/metrics.ts';
import { OneTimeCodes } from './otp/one-time-codes.ts';
import { policyOf } from './otp/policy.ts';
import { createPeopleRoom, type PeopleRoom } from './people/room.ts';
import { RequestLog } from './requests/request-log.ts';

/** What a process does: takes requests, sends, keeps house. */
export const roles = ['api', 'dispatch', 'jobs'] as const;
export type Role = (typeof roles)[number];

/** How to reach the chat platform, and how its webhooks are known. */
export interface ChatAccess {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** The sandbox, as far as the service knows it; `main.ts` brings it. */
export interface SandboxHandle {
  readonly carriers: CarrierConfiguration;
  readonly chat: ChatAccess & {
    /** Brings webhooks to this address from now on. */
    subscribe(callbackUrl: string): Promise<void>;
  };
  /** What comes to its phones. */
  readonly phones: PhoneFeed;
  readonly demoAccountId: number;
  readonly controls: SandboxControls;
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
  readonly sourceRequests: SourceRequests;
  readonly verifiedPhones: VerifiedPhones;
  readonly people: PeopleRoom;
  readonly numbers: ReturnType<typeof createNumberReader>;
  readonly ids: ReturnType<typeof createIdSource>;
}

const HEARTBEAT_MS = 10_000;

/**
 * Opens the database and lays the rooms on it. `clockOf` gives the clock once there is a database; `phoneClock` is what
 * phones with second factors show, the machine's without it.
 */
export async function layFoundation(
  config: Config,
  log: Logger,
  clockOf: (database: OpenDatabase) => Promise<Clock>,
  options: { attach?: boolean; phoneClock?: Clock } = {},
): Promise<Foundation> {
  const database = await openDatabase(config, options);
  const { sql } = database;
  const processNumber = await takeProcessNumber(sql);
  const clock = await clockOf(database);
  await maintainPartitions(sql, clock.now(), config);
  const ids = createIdSource(processNumber.number, clock);
  const numbers = createNumberReader(config.HOME_COUNTRY);
  const sources = new Sources(sql, clock, numbers);
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
    prices: new Prices(sql, { sms: config.DEFAULT_PART_PRICE, chat: config.DEFAULT_CHAT_PRICE }),
    sources,
    sourceRequests: new SourceRequests({ sql, clock, sources }),
    verifiedPhones: new VerifiedPhones({ sql, ids, clock, sources }),
    people: createPeopleRoom({ sql, ids, clock, ...options }),
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
  if (database.embedded) await releaseAllLeases(sql, clock.now());
  const carriers = sandbox?.carriers ?? readCarriers(config) ?? { links: [], routes: [] };
  const routing = new Routing(carriers.routes);
  const has = (role: Role) => wanted.includes(role);

  const allowPrivate = switchOf(config.WEBHOOKS_TO_PRIVATE_ADDRESSES, sandbox !== undefined);
  const requestLog = new RequestLog({ sql, relaxed: database.relaxed, ids, log });
  const events = createEventRoom(foundation, {
    allowPrivate,
    deliver: has('jobs'),
  });
  const signals = new Signals(sql, log);
  const hours = new MessageHours({ sql, clock, log });
  const progress = new ShipmentProgress({ sql, clock, log });
  const changes = new Changes({ sql, log, alone: database.embedded });
  const changed = (accountId: number, messageIds: Iterable<number>) => {
    hours.changed(accountId, messageIds);
    changes.said(accountId);
  };
  const recorder = new Recorder({ sql, ids, clock, events, log, takeBack, changed });
  const receipts = new Receipts({ sql, ids, clock, recorder, log });
  const blacklist = new Blacklist({ sql, ids, clock, events });
  const contactLists = new ContactLists({ sql, ids, clock });
  const csvJobs = new CsvJobs({ sql, ids, clock, owner });
  if (database.embedded) await csvJobs.releaseAll();
  const imports = new Imports({ sql, jobs: csvJobs, lists: contactLists, blacklist, numbers });
  const exports = new Exports({ sql, jobs: csvJobs, lists: contactLists });
  let listening: string | undefined;
  const linkBase = () => config.SHORT_LINK_DOMAIN ?? listening ?? publicUrl(config);
  const links = await Links.open({ sql, ids, clock, base: linkBase });
  const clicks = new Clicks({ sql, ids, log });
  const inbound = new Inbound({
    sql,
    ids,
    clock,
    events,
    log,
    numbers,
    fallbackAccount: () => sandbox?.demoAccountId,
    blacklist,
    asksRemoval: createRemovalWords(config.REMOVAL_WORDS),
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
        events,
        carriers: carriers.links.map((link) => createSmppLink(link, { log, clock })),
      })
    : undefined;
  const contactWork = new ContactWork({ sql, log, jobs: csvJobs, imports, exports });
  const sending = {
    sql,
    ids,
    clock,
    routing,
    events,
    links,
    contactLists,
    numbers,
    prices: foundation.prices,
    wallets: foundation.wallets,
    wake(accountId: number, lane: Lane) {
      dispatcher?.hint(accountId, lane);
      changes.said(accountId);
      // The embedded database has this process alone: nobody else is listening.
      if (!database.embedded) signals.announceDue();
    },
  };
  const pausing = {
    announcePaused(shipment: Cancelled) {
      dispatcher?.paused(shipment);
      changes.said(shipment.accountId);
      if (!database.embedded) signals.announcePaused(shipment);
    },
    announceResumed(shipment: Cancelled) {
      dispatcher?.resumed(shipment);
      changes.said(shipment.accountId);
      if (!database.embedded) signals.announceResumed(shipment);
    },
  };
  const validityMs = config.VALIDITY_HOURS * 3_600_000;
  const pauser = new Pauser({ ...sending, ...pausing, validityMs });
  const chatAccess = sandbox?.chat ?? chatAccessOf(config);
  const chat = createChatRoom({
    ...sending,
    ...pausing,
    recorder,
    changed,
    owner,
    log,
    relaxed: database.relaxed,
    accounts: foundation.accounts,
    defaultZone: config.TIME_ZONE,
    platformUrl: chatAccess.url,
    appId: chatAccess.appId,
    contactPage: publicUrl(config) + CONTACT_PATH,
    clientPauseMs: sandbox ? 0 : config.CHAT_CLIENT_PAUSE_MS,
    unansweredDays: config.CHAT_UNANSWERED_DAYS,
    mediaCheck: config.MEDIA_CHECK,
    allowPrivate,
  });
  const expander = new Expander({ ...sending, relaxed: database.relaxed, log, owner });
  if (database.embedded) {
    await Promise.all([expander.releaseAll(), chat.expander.releaseAll(), chat.templates.releaseAll()]);
  }
  const jobs = has('jobs')
    ? new Jobs({
        sql,
        clock,
        log,
        keep: config,
        inbound,
        contactWork,
        csvJobs,
        expander,
        pauser,
        hours,
        progress,
        chat,
        people: foundation.people,
      })
    : undefined;

  let app: FastifyInstance | undefined;
  let hub: LiveHub | undefined;
  try {
    await foundation.accounts.reload();
    await events.start();
    jobs?.start();
    if (dispatcher) {
      await signals.listen({
        due: () => dispatcher.hintAny(),
        cancelled: (shipment) => dispatcher.cancelled(shipment),
        paused: (shipment) => dispatcher.paused(shipment),
        resumed: (shipment) => dispatcher.resumed(shipment),
      });
      await chat.dispatchTo(dispatcher);
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
    void writeTokenUses();
  }, HEARTBEAT_MS);

  async function writeTokenUses(): Promise<void> {
    await foundation.tokens.writeUses().catch((error: unknown) => {
      log.warn({ err: error }, 'when tokens were used last is not written');
    });
  }

  async function openDoors(): Promise<FastifyInstance> {
    const acceptor = new Acceptor({ ...sending, validityMs });
    const canceller = new Canceller({
      sql,
      ids,
      clock,
      unmade: unmadeCampaigns,
      announce(cancelled) {
        // Ours at once, so that it does not rest on a hint.
        dispatcher?.cancelled(cancelled);
        // Its hour; those of contacts that got their messages later are found by themselves.
        changed(cancelled.accountId, [cancelled.shipmentId]);
        if (!database.embedded) signals.announceCancelled(cancelled);
      },
    });
    const oneTimeCodes = new OneTimeCodes({
      ...foundation,
      sql,
      events,
      acceptor,
      policy: policyOf(config, switchOf(config.OTP_BRAKE, sandbox === undefined)),
      defaultText: config.OTP_TEXT,
    });
    const signInParts = { ...foundation, passwords: new PasswordChecks() };
    const limits = {
      accountLimit: sandbox ? 0 : config.RATE_LIMIT_ACCOUNT,
      addressLimit: sandbox ? 0 : config.RATE_LIMIT_ADDRESS,
    };
    const subscribers = new Subscribers({ ...foundation, sql });
    const verifying = {
      phoneVerifier: new PhoneVerifier({
        ...foundation,
        acceptor,
        linkBase,
        source: config.VERIFY_SMS_SOURCE,
        text: config.VERIFY_SMS_TEXT,
      }),
      callNumber: config.VERIFY_CALL_NUMBER,
      verifySources: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
    };
    const sendingText = {
      ...foundation,
      contactLists,
      links,
      removalWord: removalWordOf(config.REMOVAL_WORDS),
      verifySources: verifying.verifySources,
    };
    const linkRates = carriers.links.map(({ messagesPerSecond }) => messagesPerSecond);
    const finishing = { sql, clock, linkRates };
    hub = new LiveHub({
      sql,
      clock,
      log,
      progress,
      sandbox: sandbox && { phones: sandbox.phones, accountId: sandbox.demoAccountId },
    });
    await changes.listen((accountId) => hub?.changed(accountId));
    const server = await createHttpServer({ trustProxy: config.TRUST_PROXY });
    const reserved = reserveSegments(server);
    logRequests(server, requestLog);
    requestLog.start();
    await server.register(docsDoor, { version, routes: gatherRoutes(server) });
    await server.register(operatorDoor, { problems });
    await server.register(smsDoor, {
      services: {
        ...foundation,
        sql,
        acceptor,
        canceller,
        oneTimeCodes,
        blacklist,
        contactLists,
        links,
        events,
        removalWord: removalWordOf(config.REMOVAL_WORDS),
        subscribers,
        ...verifying,
      },
      signIn: signInParts,
      log,
      defaultZone: config.TIME_ZONE,
      ...limits,
    });
    await server.register(v1Door, {
      parts: [
        contactListsPart({ contactLists, imports, exports }),
        csvJobsPart({ csvJobs, exports }),
        contactsPart({ contactLists, imports, numbers }),
        blacklistPart({ blacklist, imports, numbers, clock }),
        tokensPart(foundation),
        webhooksPart({ events }),
        webhookDeliveriesPart({ events }),
        requestLogPart({ requestLog }),
        walletsPart({ ...foundation, subscribers }),
        subscribersPart({ ...foundation, subscribers }),
        sourcesPart({ ...foundation, ...verifying }),
        operatorPart(foundation),
        operatorSendersPart(foundation),
        operatorPricesPart(foundation),
        operatorChatPart({ ...foundation, chatNumbers: chat.chatNumbers }),
        operatorNetworkPart({ ...foundation, sql, events, sandbox: sandbox?.controls }),
        otpPart({ sql, clock }),
        chatNumbersPart(chat),
        chatTemplatesPart({ ...chat, numbers, clock }),
        chatCampaignsPart({ sql, campaigns: chat.campaigns, canceller }),
        linksPart({ sql, links }),
        messagesPart({ sql, clock, numbers, hours, events }),
        shipmentsPart({ sql, progress, canceller, pauser, campaigns: chat.campaigns }),
        smsPart({
          acceptor,
          wallets: foundation.wallets,
          estimator: { ...sending, ...finishing },
          sending: sendingText,
        }),
        chatSendingPart({ ...chat, wallets: foundation.wallets, clock, finishing }),
        overviewPart({ sql, hours, clock, defaultZone: config.TIME_ZONE }),
        livePart({ hub, numbers }),
        sessionPart({
          ...foundation,
          secure: publicUrl(config).startsWith('https:'),
        }),
        secondFactorPart(foundation.people),
        peoplePart(foundation.people),
        auditPart(foundation.people),
      ],
      signIn: signInParts,
      log,
      ...limits,
    });
    const codes = new Codes(sql, links.cipher);
    const removals = new Removals({ sql, codes, blacklist });
    await server.register(linkPages, { codes, clicks, removals, log });
    await server.register(verifyPages, { verifiedPhones: foundation.verifiedPhones, log });
    await server.register(contactPage, { log });
    await server.register(chatDoor, {
      services: { ...foundation, ...chat, sql },
      signIn: signInParts,
      log,
      aliases: config.CHAT_API_ALIASES?.split(',') ?? [],
      ...limits,
    });
    if (chatAccess.appSecret !== '') {
      const { appSecret, verifyToken } = chatAccess;
      await server.register(chatWebhooks, { inbound: chat.inbound, clock, log, appSecret, verifyToken });
    }
    if (sandbox) await server.register(sandbox.door);
    await server.register(consoleDoor, { reserved });
    await server.listen({ host: config.HOST, port: config.PORT });
    listening = addressOf(server, config);
    const { address, port } = server.server.address() as AddressInfo;
    const host = isIPv6(address) ? `[${address}]` : address;
    await sandbox?.chat.subscribe(`http://${host}:${port}${CHAT_WEBHOOKS_PATH}`);
    return server;
  }

  /** Requests first, so that nothing new comes; then what they led to; events last, since sending makes them. */
  async function stopRooms(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    const left = () => Math.max(0, deadline - performance.now());
    hub?.stop();
    if (app) await closeHttpServer(app, left() * 0.3);
    await Promise.all([requestLog.stop(), writeTokenUses()]);
    await clicks.stop();
    await chat.stopLinks();
    await dispatcher?.stop(left() * 0.6);
    await signals.stop();
    await jobs?.stop();
    await chat.stop(left() * 0.5);
    await Promise.all([hours.stop(), changes.stop()]);
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
    url: listening,
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

function chatAccessOf(config: Config): ChatAccess {
  return {
    url: config.CHAT_PLATFORM_URL,
    appId: config.CHAT_APP_ID ?? '',
    appSecret: config.CHAT_APP_SECRET ?? '',
    verifyToken: config.CHAT_VERIFY_TOKEN ?? '',
  };
}

/** Where others reach the service, as far as the settings say. */
export function publicUrl(config: Config): string {
  return config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${config.HOST}:${config.PORT}`;
}

function addressOf(app: FastifyInstance, config: Config): string {
  if (config.PUBLIC_URL) return publicUrl(config);
  const { family, address, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

collectDefaultMetrics({ register: metrics });
