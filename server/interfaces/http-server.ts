import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, fastify } from 'fastify';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The HTTP server that the doors are registered on. Every answer names the version (decisions, "Versioning"). */
export async function createHttpServer(options: { trustProxy: boolean }): Promise<FastifyInstance> {
  const app = fastify({
    trustProxy: options.trustProxy,
    genReqId: () => randomUUID(),
    // Longer than the 60 s after which load balancers drop an idle connection: they must be the first to.
    keepAliveTimeout: 72_000,
    // A body that does not come whole in this time is not coming.
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
  });
  await app.register(rateLimit, { global: false });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-carillon-version', version);
  });
  return app;
}
