import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Subscribers } from './accounts/subscribers.ts';
import { type AppContext, publicUrl, switchOf } from './app-context.ts';
import { channels } from './channels/index.ts';
import { removalWordOf } from './channels/sms/removal-reply.ts';
import type { Config } from './config.ts';
import type { Health } from './health.ts';
import { enforceAccess } from './interfaces/access.ts';
import { chatApi } from './interfaces/chat-api/plugin.ts';
import { CHAT_WEBHOOKS_PATH, chatWebhooks } from './interfaces/chat-webhooks/plugin.ts';
import { consolePages, reserveSegments } from './interfaces/console/plugin.ts';
import { docsPages } from './interfaces/docs/plugin.ts';
import { closeHttpServer, createHttpServer, version } from './interfaces/http-server.ts';
import { mailPaths } from './interfaces/mail-api/paths.ts';
import { mailApi } from './interfaces/mail-api/plugin.ts';
import { type BounceListener, openBounceListener } from './interfaces/mail-bounces/plugin.ts';
import { gatherRoutes } from './interfaces/openapi/description.ts';
import { operatorEndpoints } from './interfaces/operator/plugin.ts';
import { contactPage } from './interfaces/public-pages/contact.ts';
import { linkPages } from './interfaces/public-pages/links.ts';
import { mailPages } from './interfaces/public-pages/mail.ts';
import { mailOpenPages } from './interfaces/public-pages/mail-opens.ts';
import { verifyPages } from './interfaces/public-pages/verify.ts';
import { logRequests } from './interfaces/request-notes.ts';
import { smsApi } from './interfaces/sms-api/plugin.ts';
import { v1Api } from './interfaces/v1/plugin.ts';
import { Codes } from './links/codes.ts';
import { Removals } from './links/removals.ts';
import { LiveHub } from './live/hub.ts';
import { Canceller } from './messages/cancel.ts';
import type { Modules } from './modules.ts';
import { OneTimeCodes } from './otp/one-time-codes.ts';
import { policyOf } from './otp/policy.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import { v1Routes } from './v1-routes.ts';

/** The open listeners of a process. */
export interface Listeners {
  /** Where they answer. */
  readonly url: string;
  /** Lets nobody in any more, and ends what is being asked within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Opens everything by which requests come. Throws when an address cannot be had. */
export async function openListeners(
  appContext: AppContext,
  modules: Modules,
  sandbox: SandboxHandle | undefined,
  health: Health,
): Promise<Listeners> {
  const { config, log, clock } = appContext;
  const { sql } = appContext.database;
  const hub = new LiveHub({
    sql,
    clock,
    log,
    progress: modules.progress,
    sandbox: sandbox && { phones: sandbox.phones, accountId: sandbox.demoAccountId },
  });
  const server = await createHttpServer({
    proxies: config.TRUST_PROXY,
    https: publicUrl(config).startsWith('https:'),
    connections: {
      total: config.HTTP_CONNECTIONS,
      // A proxy brings everybody's requests from its own address.
      perAddress: config.TRUST_PROXY ? 0 : config.HTTP_CONNECTIONS_PER_ADDRESS,
    },
    headersMs: config.HTTP_HEADERS_SECONDS * 1_000,
    bodyStallMs: config.HTTP_BODY_STALL_SECONDS * 1_000,
    canonicalUrl: mailPaths(mailAliases(config)),
  });
  let mailBounces: BounceListener | undefined;

  async function close(graceMs: number): Promise<void> {
    hub.stop();
    await closeHttpServer(server, graceMs);
    await mailBounces?.close();
  }

  try {
    await modules.changes.listen((accountId) => hub.changed(accountId));
    const rules = Object.assign({}, ...channels.map(({ access }) => access));
    enforceAccess(server, { aliases: aliasesOf(config), rules });
    const reserved = reserveSegments(server);
    await registerApis(server, appContext, modules, { hub, sandbox, health });
    await server.register(consolePages, { reserved });
    mailBounces = await startBounceListener(appContext, modules, sandbox);
    await server.listen({ host: config.HOST, port: config.PORT });
    const url = addressOf(server, config);
    modules.site.url = url;
    const { address, port } = server.server.address() as AddressInfo;
    const host = isIPv6(address) ? `[${address}]` : address;
    await sandbox?.chat.subscribe(`http://${host}:${port}${CHAT_WEBHOOKS_PATH}`);
    return { url, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

async function registerApis(
  server: FastifyInstance,
  appContext: AppContext,
  modules: Modules,
  others: { readonly hub: LiveHub; readonly sandbox: SandboxHandle | undefined; readonly health: Health },
): Promise<void> {
  const { hub, sandbox, health } = others;
  const { config, log, clock } = appContext;
  const { sql } = appContext.database;
  const { blacklist, contactLists, links, events, chat, chatAccess, mail } = modules;
  const { acceptor } = modules;
  const canceller = createCanceller(appContext, modules);
  const oneTimeCodes = new OneTimeCodes({
    ...appContext,
    sql,
    events,
    acceptor,
    policy: policyOf(config, switchOf(config.OTP_BRAKE, sandbox === undefined)),
    defaultText: config.OTP_TEXT,
  });
  const signIn = appContext;
  const isFree = sandbox !== undefined && !config.SANDBOX_PUBLIC;
  const limits = {
    accountLimit: isFree ? 0 : config.RATE_LIMIT_ACCOUNT,
    addressLimit: isFree ? 0 : config.RATE_LIMIT_ADDRESS,
  };
  const common = { signIn, sendKeys: modules.sendKeys, log, ...limits };
  const subscribers = new Subscribers({ ...appContext, sql });
  const removalWord = removalWordOf(config.REMOVAL_WORDS);
  const verifying = {
    phoneVerifier: modules.phoneVerifier,
    voice: modules.voice,
    verifySources: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
  };

  logRequests(server, modules.requestLog);
  await server.register(docsPages, { version, routes: gatherRoutes(server) });
  await server.register(operatorEndpoints, {
    health,
    access: config.METRICS_TOKEN === undefined ? undefined : { token: config.METRICS_TOKEN },
  });
  await server.register(smsApi, {
    services: {
      ...appContext,
      sql,
      acceptor,
      canceller,
      oneTimeCodes,
      blacklist,
      contactLists,
      links,
      events,
      removalWord,
      subscribers,
      ...verifying,
      audit: appContext.people.audit,
      apiTokenDays: config.API_TOKEN_DAYS,
    },
    defaultZone: config.TIME_ZONE,
    ...common,
  });
  const needs = { acceptor, canceller, subscribers, hub, verifying, removalWord };
  await server.register(v1Api, { routes: v1Routes(appContext, modules, needs, sandbox), ...common });
  const codes = new Codes(sql, links.cipher);
  const removals = new Removals({ sql, codes, blacklist });
  await server.register(linkPages, { codes, clicks: modules.clicks, removals, log });
  await server.register(verifyPages, { ...appContext, callNumber: modules.callNumber });
  await server.register(contactPage, { log });
  await server.register(mailOpenPages, { opens: modules.mailSending.opens, log });
  await server.register(mailPages, {
    removals: mail.removals,
    confirmations: modules.confirmations,
    accounts: appContext.accounts,
    log,
  });
  await server.register(mailApi, {
    services: mail,
    tokens: mail.tokens,
    aliases: mailAliases(config),
    ...common,
  });
  await server.register(chatApi, {
    services: { ...appContext, ...chat, sql },
    aliases: chatAliases(config),
    ...common,
  });
  if (chatAccess.appSecret !== '') {
    const { appSecret, verifyToken } = chatAccess;
    await server.register(chatWebhooks, { inbound: chat.inbound, clock, log, appSecret, verifyToken });
  }
  if (sandbox) await server.register(sandbox.api);
}

function createCanceller({ ids, clock, database }: AppContext, modules: Modules): Canceller {
  return new Canceller({
    sql: database.sql,
    ids,
    clock,
    unrendered: modules.campaigns.unrendered,
    announce(cancelled) {
      // Ours at once, so that it does not rest on a hint.
      modules.dispatcher?.cancelled(cancelled);
      // Their hours; those of contacts that got their messages later are found by themselves.
      modules.changed(cancelled.accountId, cancelled.shipmentIds);
      if (!database.embedded) modules.signals.announceCancelled(cancelled);
    },
  });
}

/** The server for bounces, where one is wanted; undefined where none is. */
async function startBounceListener(
  { config, log }: AppContext,
  { mailSending }: Modules,
  sandbox: SandboxHandle | undefined,
): Promise<BounceListener | undefined> {
  const port = config.MAIL_BOUNCE_PORT ?? (sandbox ? 0 : undefined);
  if (port === undefined) return undefined;
  const door = await openBounceListener({
    bounces: mailSending.bounces,
    log,
    host: config.MAIL_BOUNCE_HOST,
    port,
    name: mailSending.bounceDomain ?? config.HOST,
  });
  sandbox?.mail.reportTo(door.port);
  return door;
}

const chatAliases = (config: Config) => config.CHAT_API_ALIASES?.split(',') ?? [];
const mailAliases = (config: Config) => config.MAIL_API_ALIASES?.split(',') ?? [];

/** Prefixes of paths that stand for another one. */
function aliasesOf(config: Config): Map<string, string> {
  return new Map([
    ...chatAliases(config).map(
      (alias) => [`/${alias.split('/').filter(Boolean).join('/')}`, '/chat-api'] as const,
    ),
    ...mailAliases(config).map((alias) => [`/api/${alias}`, '/api/Mailer'] as const),
  ]);
}

function addressOf(app: FastifyInstance, config: Config): string {
  if (config.PUBLIC_URL) return publicUrl(config);
  const { family, address, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
