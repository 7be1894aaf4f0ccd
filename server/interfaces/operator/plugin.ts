import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Health } from '../../health.ts';
import { metrics } from '../../observability/metrics.ts';

interface OperatorEndpointsOptions {
  readonly health: Health;
  /**
   * Who reads metrics and the details of what is wrong: whoever names this token, everybody (on an address of its own), or
   * with `undefined` nobody.
   */
  readonly access: { readonly token: string } | 'everybody' | undefined;
}

/** `/healthz` (alive), `/readyz` (can accept and dispatch) and `/metrics` (Prometheus), a Fastify plugin. */
export async function operatorEndpoints(
  app: FastifyInstance,
  { health, access }: OperatorEndpointsOptions,
): Promise<void> {
  const mayLook = (request: FastifyRequest): boolean =>
    access === 'everybody' || (access !== undefined && names(request, access.token));

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const found = await health.problems();
    if (found.length > 0) reply.code(503);
    const detailed = mayLook(request);
    return {
      status: found.length > 0 ? 'not ready' : 'ready',
      ...(health.dispatch && { dispatch: health.dispatch }),
      problems: found.map(({ what, detail }) => (detailed ? detail : what)),
    };
  });
  app.get('/metrics', async (request, reply) => {
    if (access === undefined) {
      reply.code(404);
      return {
        statusCode: 404,
        error: 'Not Found',
        message: 'set METRICS_TOKEN or METRICS_PORT for metrics',
      };
    }
    if (!mayLook(request)) {
      reply.code(401).header('www-authenticate', 'Bearer');
      return { statusCode: 401, error: 'Unauthorized', message: 'the bearer token METRICS_TOKEN is missing' };
    }
    reply.header('content-type', metrics.contentType);
    return metrics.metrics();
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request names the token (RFC 6750, section 2.1), compared in constant time. */
function names({ headers }: FastifyRequest, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
