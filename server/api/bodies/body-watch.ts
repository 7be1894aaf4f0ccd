import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BodyTimeout, endReading } from './read-body.ts';

const SWEEP_MS = 1_000;
/** Code of Node's error for requests that take too long. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Milliseconds that any body may take, and the minimum bytes per second after that. */
const GRACE_MS = 30_000;
const LEAST_RATE = 32 * 1024;

/**
 * Milliseconds and bytes for which the rest of a body is read after the response, because a client that writes first
 * must still see the response.
 */
const LINGER_MS = 15_000;
const MAX_LINGER = 64 * 1024 * 1024;

interface Watched {
  readonly reply: FastifyReply;
  readonly startedAt: number;
  /** `bytesRead` of the socket at the beginning, and at its last growth. */
  readonly from: number;
  read: number;
  grewAt: number;
  /** Time of the response, and `bytesRead` at that time; undefined before. */
  answered: { readonly at: number; readonly read: number } | undefined;
}

/**
 * Ends requests whose body stalls: without data for `stallMs`, slower than 32 KiB a second after half a minute, or
 * continuing after the response. Uploads of files are read at their own speed and only have the server's
 * `requestTimeout`.
 */
export function watchBodies(app: FastifyInstance, { stallMs }: { readonly stallMs: number }): void {
  const watched = new Map<FastifyRequest, Watched>();

  function end(request: FastifyRequest, { reply }: Watched): void {
    watched.delete(request);
    if (endReading(request, new BodyTimeout())) return;
    const { socket } = request.raw;
    // The handler reads the body as a stream. The response is the one that Node.js sends when a request exceeds
    // `requestTimeout`.
    if (reply.raw.headersSent) socket.destroy();
    else app.server.emit('clientError', Object.assign(new BodyTimeout(), { code: REQUEST_TIMEOUT }), socket);
  }

  function look(request: FastifyRequest, body: Watched, now: number): void {
    const { raw } = request;
    const { bytesRead, destroyed } = raw.socket;
    if (raw.complete || destroyed) {
      watched.delete(request);
      return;
    }
    // Data in the buffer waits for us, so the client does not stall.
    if (bytesRead > body.read || raw.readableLength > 0) {
      body.read = bytesRead;
      body.grewAt = now;
    }
    const { answered } = body;
    if (now - body.grewAt > stallMs) end(request, body);
    else if (answered) {
      if (now - answered.at > LINGER_MS || bytesRead - answered.read > MAX_LINGER) end(request, body);
    } else if (raw.readableLength === 0) {
      const allowed = GRACE_MS + ((bytesRead - body.from) / LEAST_RATE) * 1_000;
      if (now - body.startedAt > allowed) end(request, body);
    }
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [request, body] of watched) look(request, body, now);
  }, SWEEP_MS);
  sweep.unref();

  app.addHook('onRequest', (request, reply, done) => {
    const { headers, socket } = request.raw;
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      const now = performance.now();
      const { bytesRead } = socket;
      watched.set(request, {
        reply,
        startedAt: now,
        from: bytesRead,
        read: bytesRead,
        grewAt: now,
        answered: undefined,
      });
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const body = watched.get(request);
    if (body && request.raw.complete) watched.delete(request);
    else if (body) body.answered = { at: performance.now(), read: request.raw.socket.bytesRead };
    done();
  });
  app.addHook('onClose', async () => clearInterval(sweep));
}
