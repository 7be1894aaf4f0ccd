import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxVoice } from './voice.ts';

interface CallsApiOptions {
  readonly voice: Pick<SandboxVoice, 'wav'> & { readonly exchange: Pick<SandboxVoice['exchange'], 'callIn'> };
  /** International digits of a number in any accepted spelling; null when it is none. */
  readonly normaliseNumber: (text: string) => string | null;
}

const callBody = z.object({ to: z.union([z.string(), z.number().transform(String)]) });

/**
 * The phones of the sandbox API, a Fastify plugin:
 * - `GET /v1/sandbox/phones/:number/calls/:id.wav` is what was heard in a call;
 * - `POST /v1/sandbox/phones/:number/call` with `{"to"}` lets the phone call the service, which answers no call; answers
 *   `{"status"}`, SIP's (603: declined).
 */
export function callsApi(app: FastifyInstance, options: CallsApiOptions, done: () => void): void {
  const { voice, normaliseNumber } = options;

  app.get<{ Params: { number: string; file: string } }>(
    '/v1/sandbox/phones/:number/calls/:file',
    async (request, reply) => {
      const number = normaliseNumber(request.params.number);
      const id = /^(.+)\.wav$/.exec(request.params.file)?.[1];
      const wav = number === null || id === undefined ? undefined : voice.wav(number, id);
      if (!wav) return reply.code(404).send({ message: 'there is no such call' });
      return reply.type('audio/wav').send(wav);
    },
  );

  app.post<{ Params: { number: string } }>('/v1/sandbox/phones/:number/call', async (request, reply) => {
    const from = normaliseNumber(request.params.number);
    if (from === null) return reply.code(400).send({ message: 'number is not a phone number' });
    const body = callBody.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: 'to: is missing' });
    const to = normaliseNumber(body.data.to);
    if (to === null) return reply.code(400).send({ message: 'to is not a phone number' });
    try {
      return { status: await voice.exchange.callIn(from, to) };
    } catch {
      return reply.code(503).send({ message: 'the exchange has not heard of the service yet, try again' });
    }
  });
  done();
}
