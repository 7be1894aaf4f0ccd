import type { FastifyInstance } from 'fastify';
import { metrics } from '../../observability/metrics.ts';

export interface OperatorDoorOptions {
  /** What is not ready, in words; empty when everything is. */
  readonly problems: () => Promise<string[]>;
}

/** `/healthz` (alive), `/readyz` (can accept and dispatch) and `/metrics` (Prometheus), a Fastify plugin. */
export async function operatorDoor(app: FastifyInstance, options: OperatorDoorOptions): Promise<void> {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const problems = await options.problems();
    if (problems.length > 0) reply.code(503);
    return { status: problems.length > 0 ? 'not ready' : 'ready', problems };
  });
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', metrics.contentType);
    return metrics.metrics();
  });
}
