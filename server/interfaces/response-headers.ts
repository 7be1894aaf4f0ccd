import type { FastifyInstance, FastifyRequest } from 'fastify';

/*
 * The headers of every answer, in one place: a route changes what it knows better (a page its Content-Security-Policy, a file
 * its Cache-Control), and none has to remember the others.
 */

const HSTS = 'max-age=31536000; includeSubDomains';

const common: Readonly<Record<string, string>> = {
  // What is answered is somebody's: no browser and no proxy keeps it.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The headers that an answer has by itself. `https`: the service is reached over https alone (PUBLIC_URL). */
export function defaultHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? { ...common, 'strict-transport-security': HSTS } : common;
}

const signedIn = new WeakSet<FastifyRequest>();

/** Notes that whoever asks has signed in: the answer may say what is no stranger's business. */
export function noteSignedIn(request: FastifyRequest): void {
  signedIn.add(request);
}

/**
 * Gives every answer the default headers and `X-Request-Id`, by which the request log finds it, and those to callers who have signed in `X-Carillon-Version` (decisions,
 * "Versioning"): strangers are not told which faults to try.
 */
export function setDefaultHeaders(app: FastifyInstance, options: { https: boolean; version: string }): void {
  const headers = defaultHeaders(options.https);
  app.addHook('onRequest', async ({ id }, reply) => {
    reply.headers(headers).header('x-request-id', id);
  });
  app.addHook('onSend', async (request, reply) => {
    if (signedIn.has(request)) reply.header('x-carillon-version', options.version);
  });
}
