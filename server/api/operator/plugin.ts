import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { metrics, metricsText } from '../../kit/observability/metrics.ts';
import { type Health, type Purpose, purposes } from '../../run/health.ts';

interface OperatorEndpointsOptions {
  readonly health: Health;
  /**
   * Callers that may read metrics and details of problems: those with this token, everybody (on a separate address), or
   * with `undefined` nobody.
   */
  readonly access: { readonly token: string } | 'everybody' | undefined;
}

/**
 * `/healthz` (alive), `/readyz` (can accept; with `?for=dispatch`: can dispatch) and `/metrics` (Prometheus), a Fastify
 * plugin.
 */
export async function operatorEndpoints(
  app: FastifyInstance,
  { health, access }: OperatorEndpointsOptions,
): Promise<void> {
  const mayLook = (request: FastifyRequest): boolean =>
    access === 'everybody' || (access !== undefined && names(request, access.token));

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get<{ Querystring: { for?: unknown } }>('/readyz', async (request, reply) => {
    const purpose = request.query.for ?? 'accept';
    if (!isPurpose(purpose)) {
      reply.code(400);
      const message = `for: must be one of ${purposes.join(', ')}`;
      return { statusCode: 400, error: 'Bad Request', message };
    }
    const found = await health.problems(purpose);
    if (found.length > 0) reply.code(503);
    const detailed = mayLook(request);
    return {
      status: found.length > 0 ? 'not ready' : 'ready',
      ...(purpose === 'dispatch' && { dispatch: health.dispatch ?? 'none' }),
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
    return metricsText();
  });
}

const isPurpose = (value: unknown): value is Purpose => purposes.includes(value as Purpose);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request has the token (RFC 6750, section 2.1), compared in constant time. */
function names({ headers }: FastifyRequest, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
