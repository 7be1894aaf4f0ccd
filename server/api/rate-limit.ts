import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';
import { networkOf } from '../kit/http/addresses.ts';

/** Counts a request. Throws Refusal `too-fast`, and sets `Retry-After`. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Limits requests per second for each key (decisions, "Rate limit"); needs @fastify/rate-limit.
 *
 * @param max requests per second; 0 means no limit
 */
export function limitRate(
  app: FastifyInstance,
  max: number,
  keyOf: (request: FastifyRequest) => string,
): RateLimit {
  if (max === 0) return async () => {};
  const count = app.createRateLimit({ max, timeWindow: 1_000, keyGenerator: keyOf });
  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed || !result.isExceeded) return;
    reply.header('retry-after', result.ttlInSeconds);
    throw new Refusal('too-fast', 'too many requests, try again in a second');
  };
}

/** As `limitRate`, per client address; an IPv6 /64 network counts as one (`networkOf`). */
export function limitAddressRate(app: FastifyInstance, max: number): RateLimit {
  return limitRate(app, max, (request) => networkOf(request.ip));
}
