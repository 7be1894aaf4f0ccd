import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';

/** An address of a request that cannot be used. For those who know no refusals: 400. */
export class BadAddress extends Refusal {
  readonly statusCode = 400;
}

/**
 * PostgreSQL keeps no NUL in text. Bodies are looked at where they are read, headers cannot have one. Throws Refusal
 * `bad-field` that names the parameter.
 */
export function checkAddress({ url, query }: FastifyRequest): void {
  if (!url.includes('%00')) return;
  const named = Object.entries(query as Record<string, unknown>).find(([, value]) =>
    [value].flat().some((text) => String(text).includes('\0')),
  );
  throw new BadAddress('bad-field', 'must not contain NUL', named ? named[0].replaceAll('\0', '') : 'path', {
    reason: 'not-readable',
  });
}
