import { hash, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import type { SandboxChanges } from '../../sandbox-handle.ts';
import type { Networks } from '../networks.ts';
import { apiOf } from '../sandbox.ts';
import { type Receiver, Receivers } from './receivers.ts';

/** A process that reads arrivals more slowly than this many octets wait is cut off. */
const MAX_UNREAD = 4 << 20;

/** What a call is about to say. */
export interface Spoken {
  /** The number that is called. */
  readonly to: string;
  readonly text: string;
}

/**
 * Opens, on a loopback port, what the other processes of a sandbox need of its networks beside their protocols: the sandbox
 * API, settings, arrivals as lines of JSON, what calls say, and where webhooks and bounces go. Whoever calls has the key.
 * Resolves to what closes it; throws what the system says of the port.
 */
export async function openNetworksServer(
  networks: Networks,
  deps: Parameters<typeof apiOf>[1],
  { port, key }: { readonly port: number; readonly key: string },
): Promise<() => Promise<void>> {
  const app = fastify({ forceCloseConnections: true });
  const receivers = new Receivers(networks);
  const expected = hash('sha256', `Bearer ${key}`, 'buffer');
  app.addHook('onRequest', async (request, reply) => {
    const given = hash('sha256', request.headers.authorization ?? '', 'buffer');
    if (!timingSafeEqual(given, expected))
      return reply.code(401).send({ message: 'not a process of this sandbox' });
  });
  await app.register(apiOf(networks, deps));
  app.get('/settings', () => networks.settings.read());
  app.patch<{ Body: SandboxChanges }>('/settings', async ({ body }) => {
    await networks.settings.change(body);
    return {};
  });
  app.post<{ Body: Spoken }>('/spoken', async ({ body: { to, text } }) => {
    await networks.voice.spoken({ destination: to }, text);
    return {};
  });
  app.post<{ Body: Receiver }>('/receivers', async ({ body }) => {
    await receivers.heard(body);
    return {};
  });
  app.get('/arrivals', (_request, reply) => reply.type('application/x-ndjson').send(arrivalsOf(networks)));
  app.get<{ Params: { phone: string } }>('/arrivals/:phone', ({ params }) =>
    networks.phones.list(params.phone),
  );
  await app.listen({ port, host: '127.0.0.1' });
  return async () => app.close();
}

/** Arrivals from now on, after an empty line that says that it has begun. */
function arrivalsOf({ phones }: Networks): Readable {
  const body = new Readable({ read() {} });
  body.push('\n');
  const end = phones.listen((arrival) => {
    if (body.readableLength > MAX_UNREAD) body.destroy();
    else body.push(`${JSON.stringify(arrival)}\n`);
  });
  body.once('close', end);
  return body;
}
