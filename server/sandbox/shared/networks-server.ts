import { hash, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import type { SandboxChanges } from '../../run/sandbox-handle.ts';
import type { Networks } from '../networks.ts';
import { apiOf } from '../sandbox.ts';
import { type Receiver, Receivers } from './receivers.ts';

/** Maximum unread octets of arrivals. A process that reads more slowly is disconnected. */
const MAX_UNREAD = 4 << 20;

/** Text that a call is about to speak. */
export interface Spoken {
  /** Called number. */
  readonly to: string;
  readonly text: string;
}

/**
 * Opens, on a loopback port, the interface that other processes of a sandbox use beyond the networks' protocols: the
 * sandbox API, settings, arrivals as lines of JSON, texts of calls, and the receivers of webhooks and bounces. Requests
 * need the key. Resolves to a function that closes it; rejects with system errors of the port.
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
  // The processes of a group would share it otherwise (node:cluster).
  await app.listen({ port, host: '127.0.0.1', exclusive: true });
  return async () => app.close();
}

/** Returns arrivals from this moment, after an empty line that marks the start. */
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
