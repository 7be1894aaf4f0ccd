import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  fastify,
} from 'fastify';
import { type Authorship, noAuthor, withAuthorship } from '../access/authorship.ts';
import { asRequest } from '../database/after-commit.ts';
import { normaliseForwardedFor, type TrustedProxies } from '../http/trusted-proxies.ts';
import { version } from '../version.ts';
import { checkAddress } from './address.ts';
import { watchBodies } from './bodies/body-watch.ts';
import { parseJsonBodies } from './bodies/json-parser.ts';
import { type ConnectionLimits, limitConnections } from './http-connections.ts';
import { defaultHeaders, setDefaultHeaders } from './response-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the service is reached over https alone. */
    readonly https: boolean;
  }

  interface FastifyRequest {
    /** Author of everything that the request creates; null until the caller is known. */
    authorship: Authorship | null;
  }
}

interface HttpServerOptions {
  readonly proxies: TrustedProxies | undefined;
  /** Whether the service is reached over https alone. */
  readonly https: boolean;
  /** None when it is left out. */
  readonly connections?: ConnectionLimits;
  /** How long the headers of a request may take, in milliseconds. */
  readonly headersMs?: number;
  /** How long a body may bring nothing, in milliseconds. */
  readonly bodyStallMs?: number;
  /** The path and query that is meant by another spelling of it; what it does not know it returns as it is. */
  readonly canonicalUrl?: (url: string) => string;
}

/** The HTTP server that the APIs are registered on. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { proxies, https, connections, headersMs = 15_000, bodyStallMs = 15_000 } = options;
  const { canonicalUrl = (url) => url } = options;
  const app = fastify({
    ...(proxies && { trustProxy: proxies.trusts }),
    genReqId: () => randomUUID(),
    // Longer than the 60 s after which load balancers drop an idle connection: they must be the first to.
    keepAliveTimeout: 72_000,
    // A body that does not come whole in this time is not coming: 200 MiB of contacts take it at 3 Mbit/s.
    requestTimeout: 600_000,
    // Node looks for both every so often.
    http: { headersTimeout: headersMs, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    // What still comes on an open connection while we close is answered like any other, and is its last.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => canonicalUrl(isDecodable(url) ? url : escapePercent(url)),
    // A parameter that is too long, for example: no hook runs for these.
    frameworkErrors: (error, _request, reply) => refusePath(error, reply as unknown as FastifyReply, https),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, https),
  });
  app.decorate('https', https);
  // First, so that what a later hook refuses has them, too.
  setDefaultHeaders(app, { https, version });
  if (proxies) {
    app.addHook('onRequest', async ({ headers }) => {
      const forwarded = headers['x-forwarded-for'];
      if (forwarded !== undefined) headers['x-forwarded-for'] = normaliseForwardedFor(String(forwarded));
    });
  }
  app.addHook('onRequest', (request, _reply, done) => {
    // `url` differs from `originalUrl` only where `rewriteUrl` changed it.
    const isPath = request.url === request.originalUrl || isDecodable(request.originalUrl);
    done(isPath ? undefined : new UndecodablePath());
  });
  if (connections) limitConnections(app.server, connections);
  watchBodies(app, { stallMs: bodyStallMs });
  parseJsonBodies(app);
  app.addHook('onRequest', async (request) => checkAddress(request));
  await app.register(rateLimit, { global: false });
  app.decorateRequest('authorship', null);
  app.addHook('preHandler', (request, _reply, done) => {
    request.authorship ??= { author: noAuthor };
    withAuthorship(request.authorship, () => asRequest(done));
  });
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!hasTwoHosts(raw.rawHeaders)) return;
    await reply
      .code(400)
      .header('connection', 'close')
      .send({ statusCode: 400, error: 'Bad Request', message: 'there is more than one Host' });
  });
  return app;
}

/** A path with percent signs that encode no UTF-8 (RFC 3986, 2.1). */
class UndecodablePath extends Error {
  override readonly name = 'UndecodablePath';
  readonly statusCode = 400;

  constructor() {
    super('the path has an invalid percent-encoding');
  }
}

/** Whether the path of a URL can be decoded. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

/**
 * Escapes the percent signs of a path that cannot be decoded, so that it reaches the error handler of its API, which answers in
 * the form of that API. The router itself would answer in the form of Fastify.
 */
const escapePercent = (url: string): string => {
  const path = pathOf(url);
  return path.replaceAll('%', '%25') + url.slice(path.length);
};

const pathOf = (url: string): string => url.split('?', 1)[0]!;

function refusePath({ statusCode = 400, message }: FastifyError, reply: FastifyReply, https: boolean): void {
  const error = STATUS_CODES[statusCode];
  reply.code(statusCode).headers(defaultHeaders(https)).send({ statusCode, error, message });
}

/** Answers what is no HTTP request, and closes the connection. */
function refuseUnreadable(error: ConnectionError, socket: Socket, https: boolean): void {
  // Reset by the peer: nobody reads an answer.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = unreadable[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ statusCode: status, error: STATUS_CODES[status], message: 'Client Error' });
  const headers = {
    ...defaultHeaders(https),
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) {
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroy(error);
}

/** Node's words for what a request has too much of. */
const unreadable: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** RFC 9112, 3.2: a request with two hosts is refused. Node would take the first, a proxy in front perhaps the last. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/**
 * Takes no new connections, answers what was asked on the open ones, and closes them; what is not answered after
 * `graceMs` is cut off.
 */
export async function closeHttpServer(app: FastifyInstance, graceMs: number): Promise<void> {
  // Fastify ends the connections that are idle when it begins to close. One that is busy in that moment would stay as
  // long as its client keeps it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 20);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
