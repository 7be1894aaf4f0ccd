import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkStrictly } from './clean-json.ts';
import { JsonError, parseJson } from './parse-json.ts';
import { readBody } from './read-body.ts';

/** A body that is not what the route takes. */
class Unreadable extends Error {
  readonly statusCode = 400;
}

/**
 * Replaces Fastify's parser of `application/json`: within the limits of limits.ts and in slices; as strict about keys
 * like `__proto__`. A route's limit is its `bodyLimit`.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const body = await readBody(request, payload, request.routeOptions.bodyLimit);
    if (body.length === 0) throw new Unreadable('the body is empty');
    if (!isUtf8(body)) throw new Unreadable('the body is not valid UTF-8');
    try {
      return await parseJson(body.toString('utf8').replace(/^\uFEFF/, ''), checkStrictly);
    } catch (error) {
      throw error instanceof JsonError ? new Unreadable(`the body ${error.message}`) : error;
    }
  });
}
