import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { sandboxRoutes } from '../../api/access/tables/sandbox.ts';
import { httpStatusOf } from '../../api/v1/errors.ts';
import { Refusal } from '../../kit/errors.ts';
import { awaited } from '../../kit/observability/awaited.ts';
import { takeFiles } from '../api.ts';
import { CHAT_APP_ID } from '../chat.ts';
import { followClock } from '../clock-store.ts';
import { carriersAt, openNetworks } from '../networks.ts';
import { advance, createDemo, type Sandbox, type SandboxDeps } from '../sandbox.ts';
import { requireDemoAccount } from '../sign-in.ts';
import { SHOWN_CALL_NUMBER } from '../voice.ts';
import { type SharedAddresses, sharedAddresses } from './addresses.ts';
import { Holder } from './holder.ts';
import { NetworksClient } from './networks-client.ts';
import { openNetworksServer } from './networks-server.ts';
import { repeat } from './repeat.ts';

/** Milliseconds between two checks whether another process has advanced the clock. */
const CLOCK_MS = 250;
/** Milliseconds between two announcements of an api process that receives webhooks and bounces. */
const RECEIVE_MS = 2_000;
/** Milliseconds that a start waits for the networks: the lease of a killed process, plus a margin. */
const REACH_MS = 15_000;

interface SharedSandboxDeps extends SandboxDeps {
  /** Identity of this run. */
  readonly process: { readonly boot: string };
}

/**
 * Joins a sandbox that several processes of this machine share: one of them holds the networks, by a lease, and all
 * reach them by the ports in the settings. `greets` is for processes that print links.
 */
export async function joinSandbox(deps: SharedSandboxDeps, greets: boolean): Promise<Sandbox> {
  const { sql, clock, log, config, secrets, process } = deps;
  const addresses = await sharedAddresses(sql, secrets, config);
  const { ports, apiKey, chatSecrets } = addresses;
  const demo = await createDemo(deps, greets);
  const client = new NetworksClient({ port: ports.api, key: apiKey, log });
  const holder = new Holder({ sql, log, owner: process.boot, open: () => openShared(deps, addresses) });
  holder.start();
  const following = repeat(
    CLOCK_MS,
    () => followClock(sql, clock),
    (error) => log.debug({ err: error }, "the sandbox's clock was not read"),
  );
  const receiver = announceReceiver(deps, client);
  await awaited(log, 'the simulated networks answer', reach(client));
  return {
    carriers: carriersAt(ports.smpp, `sip:127.0.0.1:${ports.sip};transport=udp`),
    chat: {
      url: `http://127.0.0.1:${ports.chat}`,
      appId: CHAT_APP_ID,
      ...chatSecrets,
      subscribe: (callbackUrl) => receiver.set({ callbackUrl }),
    },
    phones: client.phones,
    callNumber: SHOWN_CALL_NUMBER,
    voice: {
      async spoken({ destination }, text) {
        await client.spoken({ to: destination, text }).catch((error: unknown) => {
          log.debug({ err: error }, 'what a call says was not told to the sandbox');
        });
      },
    },
    mail: { port: ports.mail, reportTo: (reportPort) => void receiver.set({ reportPort }) },
    ...demo,
    controls: {
      read: () => client.settings(),
      change: (changes) => client.change(changes),
      advance: (milliseconds) => advance(deps, milliseconds),
    },
    async api(app) {
      requireDemoAccount(app, { signIn: deps, demoAccountId: demo.demoAccountId });
      forwardApi(app, client, () => followClock(sql, clock));
    },
    async close() {
      await Promise.all([receiver.stop(), following.stop()]);
      await client.close();
      await holder.stop();
    },
  };
}

/** Opens the networks with their API for the other processes. Resolves to a function that closes both. */
async function openShared(deps: SharedSandboxDeps, { ports, apiKey, chatSecrets }: SharedAddresses) {
  const networks = await openNetworks(deps, { ports, chatSecrets });
  try {
    const closeServer = await openNetworksServer(networks, deps, { port: ports.api, key: apiKey });
    return async () => {
      await closeServer();
      await networks.close();
    };
  } catch (error) {
    await networks.close();
    throw error;
  }
}

/**
 * Announces repeatedly where this process receives webhooks and bounces: a process that takes over the networks needs
 * it too.
 */
function announceReceiver({ log, process }: SharedSandboxDeps, client: NetworksClient) {
  let known: { callbackUrl?: string; reportPort?: number } = {};
  const say = async () => {
    if (Object.keys(known).length > 0) await client.receive({ owner: process.boot, ...known });
  };
  const failed = (error: unknown) => log.debug({ err: error }, 'the sandbox does not know where webhooks go');
  const saying = repeat(RECEIVE_MS, say, failed);
  return {
    stop: () => saying.stop(),
    async set(more: typeof known): Promise<void> {
      known = { ...known, ...more };
      await say().catch(failed);
    },
  };
}

/** Waits until the networks answer, at most for the time that they need to move to another process. */
async function reach(client: NetworksClient): Promise<void> {
  const until = performance.now() + REACH_MS;
  const answers = () =>
    client.settings().then(
      () => true,
      () => false,
    );
  while (!(await answers()) && performance.now() < until) await pause(50);
}

/** The sandbox API, forwarded to the process that holds the networks. */
function forwardApi(app: FastifyInstance, client: NetworksClient, follow: () => Promise<void>): void {
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return reply.code(httpStatusOf(code)).send({ error: { code, message }, message });
  });
  for (const row of Object.keys(sandboxRoutes)) {
    const [method, url] = row.split(' ') as ['GET' | 'POST', string];
    const route: RouteOptions = {
      method,
      url,
      async handler(request, reply) {
        const { status, type, body } = await client.ask(method, request.url, request.body);
        // The next request of the same client must see the time that it has set.
        if (method === 'POST') await follow();
        return reply.code(status).type(type).send(body);
      },
    };
    if (url.endsWith('/files')) app.register(async (own) => void takeFiles(own).route(route));
    else app.route(route);
  }
}
