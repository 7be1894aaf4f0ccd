import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Lets a part's handlers have the bodies of requests as `take` gives them, whatever their content type says, or none.
 * What is not read of a body is passed over.
 */
export function takeBodies(app: FastifyInstance, take: (body: Readable) => Readable | undefined): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body: Readable, done) => done(null, take(body)));
  app.addHook('onRequest', async (request) => {
    // One that cannot be read as a content type would be refused.
    request.headers['content-type'] = 'application/octet-stream';
  });
}

/** The bodies of requests that need none. */
export const passOver = () => undefined;
