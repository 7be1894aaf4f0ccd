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
import { normaliseForwardedFor, type TrustedProxies } from '../kit/http/trusted-proxies.ts';
import { inRequest, RequestContext } from '../kit/request-context.ts';
import { version } from '../kit/version.ts';
import { addressProblem } from './address.ts';
import { watchBodies } from './bodies/body-watch.ts';
import { parseJsonBodies } from './bodies/json-parser.ts';
import { type ConnectionLimits, limitConnections } from './http-connections.ts';
import { defaultHeaders, setDefaultHeaders } from './response-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the service is reached only over https. */
    readonly https: boolean;
  }

  interface FastifyRequest {
    /** The context of everything that the request starts. */
    context: RequestContext;
  }
}

interface HttpServerOptions {
  readonly proxies: TrustedProxies | undefined;
  /** Whether the service is reached only over https. */
  readonly https: boolean;
  /** Default: no limits. */
  readonly connections?: ConnectionLimits;
  /** Milliseconds for the headers of a request. */
  readonly headersMs?: number;
  /** Milliseconds that a body may stall. */
  readonly bodyStallMs?: number;
  /** Maps alternative spellings of a path and query to the registered one; returns unknown ones unchanged. */
  readonly canonicalUrl?: (url: string) => string;
}

/** Creates the HTTP server for the APIs. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { proxies, https, connections, headersMs = 15_000, bodyStallMs = 15_000 } = options;
  const { canonicalUrl = (url) => url } = options;
  const app = fastify({
    ...(proxies && { trustProxy: proxies.trusts }),
    genReqId: () => randomUUID(),
    // Longer than the 60 s after which load balancers drop an idle connection, because the balancer must close first.
    keepAliveTimeout: 72_000,
    // Milliseconds for a whole body: 200 MiB of contacts need this at 3 Mbit/s.
    requestTimeout: 600_000,
    // Interval at which Node.js checks both timeouts.
    http: { headersTimeout: headersMs, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection during shutdown is answered normally, and is the last one of its
    // connection.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => canonicalUrl(isDecodable(url) ? url : escapePercent(url)),
    // For example for a too long parameter. No hooks run for these errors.
    frameworkErrors: (error, _request, reply) => refusePath(error, reply as unknown as FastifyReply, https),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, https),
  });
  app.decorate('https', https);
  // First, so that responses of later hooks have the headers, too.
  setDefaultHeaders(app, { https, version });
  if (proxies) {
    app.addHook('onRequest', async ({ headers }) => {
      const forwarded = headers['x-forwarded-for'];
      if (forwarded !== undefined) headers['x-forwarded-for'] = normaliseForwardedFor(String(forwarded));
    });
  }
  app.addHook('onRequest', (request, _reply, done) => {
    // `url` differs from `originalUrl` only if `rewriteUrl` changed it.
    const isPath = request.url === request.originalUrl || isDecodable(request.originalUrl);
    done(isPath ? undefined : new UndecodablePath());
  });
  if (connections) limitConnections(app.server, connections);
  watchBodies(app, { stallMs: bodyStallMs });
  parseJsonBodies(app);
  app.addHook('onRequest', (request, _reply, done) => done(addressProblem(request)));
  await app.register(rateLimit, { global: false });
  app.decorateRequest('context');
  app.addHook('preHandler', (request, _reply, done) => inRequest(request.context, done));
  app.addHook('onRequest', (request, reply, done) => {
    request.context = new RequestContext();
    if (!hasTwoHosts(request.raw.rawHeaders)) return done();
    reply
      .code(400)
      .header('connection', 'close')
      .send({ statusCode: 400, error: 'Bad Request', message: 'there is more than one Host' });
  });
  return app;
}

/** A path with percent signs that do not encode UTF-8 (RFC 3986, 2.1). */
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
 * Escapes the percent signs of a path that cannot be decoded, so that it reaches the error handler of its API, which
 * answers in the form of that API. The router itself would answer in Fastify's form.
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

/** Answers malformed HTTP requests, and closes the connection. */
function refuseUnreadable(error: ConnectionError, socket: Socket, https: boolean): void {
  // Reset by the peer, so nobody reads a response.
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

/** Statuses by Node's error codes for oversized or slow requests. */
const unreadable: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * RFC 9112, 3.2: a request with two hosts is refused. Node.js would use the first, a proxy in front perhaps the last.
 */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/**
 * Stops accepting connections, answers open requests, and closes their connections. Requests without a response after
 * `graceMs` are cut off.
 */
export async function closeHttpServer(app: FastifyInstance, graceMs: number): Promise<void> {
  // When closing begins, Fastify ends idle connections. Without this sweep, a connection that is busy then would stay
  // open as long as its client keeps it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 20);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
