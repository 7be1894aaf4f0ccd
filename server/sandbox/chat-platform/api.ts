import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PhoneAction, SandboxChatPlatform } from './platform.ts';

interface ChatPhonesApiOptions {
  readonly platform: Pick<SandboxChatPlatform, 'sendFromPhone' | 'pressButton'>;
  /** International digits of a number in any accepted spelling; null when it is none. */
  readonly normaliseNumber: (text: string) => string | null;
}

const longestText = 4_096;
const id = z.string().min(1, 'is empty').max(500);
const to = z.union([z.string(), z.number().transform(String)]);
const written = z.object({
  to,
  body: z.string().min(1, 'is empty').max(longestText, `is over ${longestText} characters`),
  replyTo: id.optional(),
});
const pressed = z.object({ to, message: id, button: z.union([id, z.number().transform(String)]) });

const problems = {
  'unknown-business': 'to is not a business number',
  'unknown-message': 'message is not the id of one that arrived there from that number',
  'unknown-button': 'button is neither the id nor the text of a button of that message',
} as const;

/** What the API answers: the platform's id of what was sent, what a button opened, or what is wrong. */
type ChatApiAnswer = Exclude<PhoneAction, { readonly problem: unknown }> | { readonly message: string };

/**
 * Lets a simulated phone write or press a button: `body` is `{"to", "body", "replyTo"?}` or
 * `{"to", "message", "button"}`, `number` the phone in any accepted spelling. Never throws for what it is given.
 */
function chatFromPhone(options: ChatPhonesApiOptions, number: string, body: unknown): ChatApiAnswer {
  const { platform, normaliseNumber } = options;
  const from = normaliseNumber(number);
  if (from === null) return { message: 'number is not a phone number' };
  const presses = typeof body === 'object' && body !== null && 'button' in body;
  const read = presses ? pressed.safeParse(body) : written.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { message: `${issue!.path.join('.') || 'body'}: ${issue!.message}` };
  }
  const business = normaliseNumber(read.data.to);
  if (business === null) return { message: 'to is not a phone number' };
  const given = { ...read.data, from, to: business };
  const action = 'button' in given ? platform.pressButton(given) : platform.sendFromPhone(given);
  return 'problem' in action ? { message: problems[action.problem] } : action;
}

/**
 * `POST /v1/sandbox/phones/:number/chat` (decisions, section 5), a Fastify plugin: answers `{"id"}` when something was
 * sent to the business, `{"opened"}` for a button that opens, calls or copies. Refusals are `{"message"}` with 400.
 */
export function chatPhonesApi(app: FastifyInstance, options: ChatPhonesApiOptions, done: () => void): void {
  app.post<{ Params: { number: string } }>('/v1/sandbox/phones/:number/chat', async (request, reply) => {
    const answer = chatFromPhone(options, request.params.number, request.body);
    return 'message' in answer ? reply.code(400).send(answer) : answer;
  });
  done();
}
