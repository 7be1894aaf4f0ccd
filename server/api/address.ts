import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its query as bytes, in which NUL is part of UTF-16, and no parameter has a name in its path. */
    readonly bytesInQuery?: boolean;
  }
}

/** An unusable address of a request. Handlers that do not know refusals answer 400. */
export class BadAddress extends Refusal {
  readonly statusCode = 400;
}

/**
 * PostgreSQL rejects NUL in text. Bodies are checked where they are parsed; headers cannot contain NUL. Returns the refusal
 * `bad-field` that names the parameter; undefined for a usable address.
 */
export function addressProblem({ url, query, routeOptions }: FastifyRequest): BadAddress | undefined {
  if (!url.includes('%00') || routeOptions.config.bytesInQuery) return undefined;
  const named = Object.entries(query as Record<string, unknown>).find(([, value]) =>
    [value].flat().some((text) => String(text).includes('\0')),
  );
  return new BadAddress('bad-field', 'must not contain NUL', named ? named[0].replaceAll('\0', '') : 'path', {
    reason: 'not-readable',
  });
}
