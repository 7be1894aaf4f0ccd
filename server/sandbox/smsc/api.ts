import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxSmsc } from './smsc.ts';

interface PhonesApiOptions {
  readonly smsc: Pick<SandboxSmsc, 'phones' | 'sendFromPhone'>;
  /** What arrived in the chat of a number (international digits), oldest first. */
  readonly listChat?: (number: string) => readonly object[];
  /** Calls that were answered there, oldest first. */
  readonly listCalls?: (number: string) => readonly object[];
  /** International digits of a number in any accepted spelling; null when it is none. */
  readonly normaliseNumber: (text: string) => string | null;
}

/** As long as 255 parts hold in any alphabet. */
const longestText = 255 * 67;
const shortCode = /^[0-9]{3,6}$/;

const smsBody = z.object({
  to: z.union([z.string(), z.number().transform(String)]),
  text: z.string().min(1, 'is empty').max(longestText, `is over ${longestText} characters`),
});

/**
 * the sandbox API for its phones (decisions, chapter 5), a Fastify plugin:
 * - `GET /v1/sandbox/phones/:number` answers `{"sms": [{"id", "from", "text", "at"}], "chat": […], "calls": […]}`,
 *   oldest first, `at` in ISO 8601;
 * - `POST /v1/sandbox/phones/:number/sms` with `{"to", "text"}` lets the phone send an SMS, answers `{"id"}`.
 *
 * Refusals are `{"message"}` that names the field, with 400.
 */
export function phonesApi(app: FastifyInstance, options: PhonesApiOptions, done: () => void): void {
  const { smsc, normaliseNumber } = options;

  app.get<{ Params: { number: string } }>('/v1/sandbox/phones/:number', async (request, reply) => {
    const number = normaliseNumber(request.params.number);
    if (number === null) return reply.code(400).send({ message: 'number is not a phone number' });
    return {
      sms: smsc.phones.list(number),
      chat: options.listChat?.(number) ?? [],
      calls: options.listCalls?.(number) ?? [],
    };
  });

  app.post<{ Params: { number: string } }>('/v1/sandbox/phones/:number/sms', async (request, reply) => {
    const from = normaliseNumber(request.params.number);
    if (from === null) return reply.code(400).send({ message: 'number is not a phone number' });
    const body = smsBody.safeParse(request.body);
    if (!body.success) return reply.code(400).send({ message: describe(body.error) });
    const to = shortCode.test(body.data.to) ? body.data.to : normaliseNumber(body.data.to);
    if (to === null) return reply.code(400).send({ message: 'to is not a phone number' });
    return smsc.sendFromPhone({ from, to, text: body.data.text });
  });
  done();
}

/** The first thing wrong, with the name of its field. */
function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue!.path.join('.') || 'body'}: ${issue!.message}`;
}
