import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

interface ClockApiOptions {
  /** Moves the sandbox's clock on by milliseconds; returns the new time. */
  readonly advance: (milliseconds: number) => Promise<number>;
}

const YEAR = 366 * 86_400;
const body = z.object({ advance: z.number().min(0).max(YEAR) });

/**
 * `POST /v1/sandbox/clock` with `{"advance": seconds}` moves the sandbox's clock on (decisions, section 5), at most a
 * year at a time, and answers `{"now"}` in ISO 8601. A Fastify plugin.
 */
export async function clockApi(app: FastifyInstance, options: ClockApiOptions): Promise<void> {
  app.post('/v1/sandbox/clock', async (request, reply) => {
    const read = body.safeParse(request.body);
    if (!read.success) return reply.code(400).send({ message: `advance: seconds, from 0 to ${YEAR}` });
    return { now: new Date(await options.advance(read.data.advance * 1_000)).toISOString() };
  });
}
