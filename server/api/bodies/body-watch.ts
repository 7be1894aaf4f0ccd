import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Place, TransientSet } from '../../kit/transient.ts';
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
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedAt: number;
  /** `bytesRead` of the socket at the beginning, and at its last growth. */
  readonly from: number;
  read: number;
  grewAt: number;
  /** Time of the response, and `bytesRead` at that time; undefined before. */
  answered: { readonly at: number; readonly read: number } | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place among the requests whose body is watched; null without a body. */
    watchedBody: Place<Watched> | null;
  }
}

/**
 * Ends requests whose body stalls: without data for `stallMs`, slower than 32 KiB a second after half a minute, or
 * continuing after the response. Uploads of files are read at their own speed and only have the server's
 * `requestTimeout`.
 */
export function watchBodies(app: FastifyInstance, { stallMs }: { readonly stallMs: number }): void {
  const watched = new TransientSet<Watched>();
  app.decorateRequest('watchedBody', null);
  app.decorateRequest('endReading', null);

  function end(place: Place<Watched>): void {
    const { request, reply } = place.member;
    watched.remove(place);
    if (endReading(request, new BodyTimeout())) return;
    const { socket } = request.raw;
    // The handler reads the body as a stream. The response is the one that Node.js sends when a request exceeds
    // `requestTimeout`.
    if (reply.raw.headersSent) socket.destroy();
    else app.server.emit('clientError', Object.assign(new BodyTimeout(), { code: REQUEST_TIMEOUT }), socket);
  }

  function look(body: Watched, place: Place<Watched>, now: number): void {
    const { raw } = body.request;
    const { bytesRead, destroyed } = raw.socket;
    if (raw.complete || destroyed) {
      watched.remove(place);
      return;
    }
    // Data in the buffer waits for us, so the client does not stall.
    if (bytesRead > body.read || raw.readableLength > 0) {
      body.read = bytesRead;
      body.grewAt = now;
    }
    const { answered } = body;
    if (now - body.grewAt > stallMs) end(place);
    else if (answered) {
      if (now - answered.at > LINGER_MS || bytesRead - answered.read > MAX_LINGER) end(place);
    } else if (raw.readableLength === 0) {
      const allowed = GRACE_MS + ((bytesRead - body.from) / LEAST_RATE) * 1_000;
      if (now - body.startedAt > allowed) end(place);
    }
  }

  const sweep = setInterval(() => {
    const now = performance.now();
    watched.visit((body, place) => look(body, place, now));
  }, SWEEP_MS);
  sweep.unref();

  app.addHook('onRequest', (request, reply, done) => {
    const { headers, socket } = request.raw;
    // A request that the process makes to itself has no socket, and its body is complete.
    if (!(socket instanceof Socket)) return done();
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      const now = performance.now();
      const { bytesRead } = socket;
      request.watchedBody = watched.add({
        request,
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
    const { watchedBody } = request;
    if (watchedBody && request.raw.complete) watched.remove(watchedBody);
    else if (watchedBody)
      watchedBody.member.answered = { at: performance.now(), read: request.raw.socket.bytesRead };
    done();
  });
  app.addHook('onClose', async () => clearInterval(sweep));
}
