import type { FastifyInstance, FastifyRequest } from 'fastify';

/*
 * Default headers of every response. A route overrides single headers (a page its Content-Security-Policy, a file its
 * Cache-Control) and keeps the others.
 */

const HSTS = 'max-age=31536000; includeSubDomains';

const common: Readonly<Record<string, string>> = {
  // Responses contain data of accounts, so browsers and proxies must not store them.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Returns the default headers. `https`: the service is reached only over https (PUBLIC_URL). */
export function defaultHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? { ...common, 'strict-transport-security': HSTS } : common;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the caller has signed in, so the response may contain headers that are not for strangers. */
    isSignedIn: boolean;
  }
}

/** Records that the caller has signed in. */
export function noteSignedIn(request: FastifyRequest): void {
  request.isSignedIn = true;
}

/**
 * Gives every response the default headers and `X-Request-Id`, which identifies it in the request log. Responses to
 * signed-in callers also get `X-Carillon-Version` (decisions, "Versioning"); strangers do not, because the version
 * would show which vulnerabilities to try.
 */
export function setDefaultHeaders(app: FastifyInstance, options: { https: boolean; version: string }): void {
  const headers = defaultHeaders(options.https);
  app.decorateRequest('isSignedIn', false);
  app.addHook('onRequest', ({ id }, reply, done) => {
    reply.headers(headers).header('x-request-id', id);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.isSignedIn) reply.header('x-carillon-version', options.version);
    done(null, payload);
  });
}
