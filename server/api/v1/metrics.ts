import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiMetrics } from '../metrics.ts';
import type { Chapter } from '../openapi/chapters.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The chapter of a route under /v1. */
    readonly chapter?: Chapter;
  }
}

const measured = apiMetrics({
  prefix: 'carillon_v1',
  name: '`/v1`',
  labels: ['chapter', 'status'],
  by: 'chapter of the documentation (`none`: of a path that leads nowhere) and HTTP status',
  timedBy: ['chapter'],
  end: 'being known',
});

/**
 * Counts the requests of the routes of `v1`, and measures them from the end of reading their body, so that slow clients
 * do not count, to the beginning of their response, so that streams do not. Requests refused before their body is read
 * are only counted.
 */
export function measureRequests(v1: FastifyInstance): void {
  const begun = new WeakMap<FastifyRequest, number>();
  v1.addHook('preHandler', (request, _reply, done) => {
    begun.set(request, performance.now());
    done();
  });
  v1.addHook('onSend', (request, reply, payload, done) => {
    const { chapter = 'none' } = request.routeOptions.config;
    measured.requests.inc({ chapter, status: String(reply.statusCode) });
    const since = begun.get(request);
    if (since !== undefined) measured.seconds.observe({ chapter }, (performance.now() - since) / 1_000);
    done(null, payload);
  });
}
