import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import { checkStrictly } from './clean-json.ts';
import { readJson, Unreadable } from './json-body.ts';
import { BadText } from './parse-json.ts';
import { readBody } from './read-body.ts';

/** A text of a body that cannot be stored. Handlers that do not know refusals answer 400. */
class UnstorableText extends Refusal {
  readonly statusCode = 400;

  constructor(field: string) {
    const problem = 'must not contain NUL or half of a surrogate pair';
    const detail = { reason: 'not-readable' } as const;
    if (field === '') super('bad-field', `the body ${problem}`, undefined, detail);
    else super('bad-field', problem, field, detail);
  }
}

/**
 * Replaces Fastify's parser of `application/json` with one that enforces limits.ts and works in slices. It is as strict
 * about keys like `__proto__`. A route sets its limit with `bodyLimit`. Throws Refusal `bad-field` with the name of a
 * text that cannot be stored.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const body = await readBody(request, payload, request.routeOptions.bodyLimit);
    try {
      return await readJson(body, { clean: checkStrictly });
    } catch (error) {
      if (error instanceof Unreadable && error.cause instanceof BadText)
        throw new UnstorableText(error.cause.field);
      throw error;
    }
  });
}
