import type { FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';

/** An unusable address of a request. Handlers that do not know refusals answer 400. */
export class BadAddress extends Refusal {
  readonly statusCode = 400;
}

/**
 * PostgreSQL rejects NUL in text. Bodies are checked where they are parsed; headers cannot contain NUL. Throws Refusal
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
