import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { apiRules } from '../api/access/table.ts';
import { enforceAccess } from '../api/access.ts';
import { consolePages, reserveSegments } from '../api/console/plugin.ts';
import { guidePages } from '../api/docs/guide.ts';
import { docsPages } from '../api/docs/plugin.ts';
import { closeHttpServer, createHttpServer } from '../api/http-server.ts';
import { backChannelLogout } from '../api/oidc/plugin.ts';
import { gatherRoutes } from '../api/openapi/description.ts';
import { operatorEndpoints } from '../api/operator/plugin.ts';
import { alertContactPages } from '../api/public-pages/alert-contacts.ts';
import { linkPages } from '../api/public-pages/link-pages.ts';
import { picturePages } from '../api/public-pages/pictures.ts';
import { verifyPages } from '../api/public-pages/verify.ts';
import { logRequests } from '../api/request-notes.ts';
import { traceRequests } from '../api/request-traces.ts';
import { v1Api } from '../api/v1/plugin.ts';
import { channels } from '../channels/index.ts';
import type { ApiOptions, ChannelApi } from '../channels/module.ts';
import { Codes } from '../engine/links/codes.ts';
import { Removals } from '../engine/links/removals.ts';
import { LiveHub } from '../engine/live/hub.ts';
import type { Config } from '../kit/config.ts';
import type { Stage } from '../kit/lifecycle.ts';
import type { ProcessGroup } from '../kit/process-roles.ts';
import { version } from '../kit/version.ts';
import { type AppContext, publicUrl } from './app-context.ts';
import type { Health } from './health.ts';
import { modules as allModules } from './module-list.ts';
import type { Modules } from './modules.ts';
import { v1Routes } from './v1-routes.ts';

/** All listeners for requests, of the modules and of the channels. `start` throws if an address cannot be bound. */
export function openListeners(appContext: AppContext, modules: Modules, health: Health): Stage {
  const { config } = appContext;
  const { sandbox, changes, lateBound } = modules;
  const apis = [
    ...modules.opened.flatMap(({ module }) => module.api ?? []),
    ...allModules.flatMap(({ api }) => api?.(modules) ?? []),
  ];
  const hub = new LiveHub({
    ...appContext,
    progress: modules.progress,
    sandbox: sandbox && { phones: sandbox.phones, accountId: sandbox.demoAccountId },
  });
  let server: FastifyInstance | undefined;
  return {
    name: 'listeners',
    async start() {
      server = await createServer(config, apis, modules.group);
      await changes.listen((accountId) => hub.changed(accountId));
      const rules = Object.assign(
        {},
        apiRules,
        ...[...channels, ...allModules].map(({ access }) => access ?? {}),
      );
      const aliases = new Map(apis.flatMap((api) => [...(api.aliases ?? [])]));
      enforceAccess(server, { aliases, rules });
      const reserved = reserveSegments(server);
      await registerApis(server, { appContext, modules, apis, hub, health });
      await server.register(consolePages, { reserved, log: appContext.log });
      await server.listen({ host: config.HOST, port: config.PORT });
      lateBound.url = addressOf(server, config);
      const { address, port } = server.server.address() as AddressInfo;
      const host = isIPv6(address) ? `[${address}]` : address;
      for (const api of apis) await api.listen?.(`http://${host}:${port}`);
    },
    async stop(graceMs) {
      hub.stop();
      modules.events.listening.stop();
      if (server) await closeHttpServer(server, graceMs);
      for (const api of apis) await api.close?.();
    },
    share: 0.3,
  };
}

function createServer(
  config: Config,
  apis: readonly ChannelApi[],
  { count }: ProcessGroup,
): Promise<FastifyInstance> {
  return createHttpServer({
    proxies: config.TRUST_PROXY,
    https: publicUrl(config).startsWith('https:'),
    connections: {
      // The processes of a group get connections in turns.
      total: Math.ceil(config.HTTP_CONNECTIONS / count),
      // Behind a proxy, all requests come from the proxy's address.
      perAddress: config.TRUST_PROXY ? 0 : config.HTTP_CONNECTIONS_PER_ADDRESS,
    },
    headersMs: config.HTTP_HEADERS_SECONDS * 1_000,
    bodyStallMs: config.HTTP_BODY_STALL_SECONDS * 1_000,
    canonicalUrl: (url) => apis.reduce((path, { canonicalUrl }) => canonicalUrl?.(path) ?? path, url),
  });
}

/** Dependencies of request handling. */
interface Served {
  readonly appContext: AppContext;
  readonly modules: Modules;
  readonly apis: readonly ChannelApi[];
  readonly hub: LiveHub;
  readonly health: Health;
}

async function registerApis(server: FastifyInstance, served: Served): Promise<void> {
  const { appContext, modules, apis, hub, health } = served;
  const { config, log, sql } = appContext;
  const { sandbox, isPrivate, links } = modules;
  const context = { ...appContext, ...modules };
  const options: ApiOptions = {
    signIn: appContext,
    sendKeys: modules.sendKeys,
    log,
    accountLimit: isPrivate ? 0 : config.RATE_LIMIT_ACCOUNT,
    addressLimit: isPrivate ? 0 : config.RATE_LIMIT_ADDRESS,
  };
  logRequests(server, modules.requestLog);
  traceRequests(server, appContext.tracing);
  await server.register(docsPages, { version, routes: gatherRoutes(server) });
  await server.register(guidePages, { log });
  await server.register(operatorEndpoints, {
    health,
    access: config.METRICS_TOKEN === undefined ? undefined : { token: config.METRICS_TOKEN },
  });
  for (const api of apis) await api.register(server, options);
  await server.register(v1Api, { routes: v1Routes(allModules, modules, hub), ...options });
  const codes = new Codes(sql, links.cipher);
  const removals = new Removals({ ...context, codes });
  await server.register(linkPages, {
    codes,
    clicks: modules.clicks,
    removals,
    accounts: context.accounts,
    log,
  });
  await server.register(picturePages, { pictures: context.pictures, log });
  await server.register(verifyPages, context);
  await server.register(alertContactPages, {
    contacts: modules.alerts.contacts,
    accounts: context.accounts,
    log,
  });
  await server.register(backChannelLogout, { signIns: modules.signInProviders.signIns, ...options });
  if (sandbox) await server.register(sandbox.api);
}

function addressOf(app: FastifyInstance, config: Config): string {
  if (config.PUBLIC_URL) return publicUrl(config);
  const { family, address, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
