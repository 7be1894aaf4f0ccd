import type { FastifyInstance } from 'fastify';
import { displayNumber } from '../numbers/numbers.ts';
import { DEMO_CHAT_NUMBER } from './chat-demo.ts';
import type { SandboxChatPlatform } from './chat-platform/platform.ts';
import type { SandboxSmsc } from './smsc/smsc.ts';
import type { SandboxVoice } from './voice.ts';

interface HandsetApiOptions {
  readonly smsc: Pick<SandboxSmsc, 'phones'>;
  readonly platform: Pick<SandboxChatPlatform, 'phones'>;
  readonly voice: Pick<SandboxVoice, 'list'>;
  /** International digits of a number in any accepted spelling; null when it is none. */
  readonly normaliseNumber: (text: string) => string | null;
}

/**
 * What the console's handset shows, a Fastify plugin:
 * - `GET /v1/sandbox`: that there is one; `{"chat_number"}`, the demo account's business number
 * - `GET /v1/sandbox/handsets/:number`: `{"number", "received": {"sms", "chat", "calls"}, "sent": {"sms", "chat"}}`,
 *   oldest first: what `/v1/sandbox/phones/:number` has, and what the phone itself sent
 *
 * Refusals as of the phones' endpoints (smsc/api.ts).
 */
export function handsetApi(app: FastifyInstance, options: HandsetApiOptions, done: () => void): void {
  const { smsc, platform, voice, normaliseNumber } = options;

  // One spelling for each number: what came from it and what went to it are one conversation.
  const shown = (peer: string) => {
    const number = normaliseNumber(peer);
    return number === null ? peer : displayNumber(number);
  };

  app.get('/v1/sandbox', async () => ({ chat_number: displayNumber(DEMO_CHAT_NUMBER) }));

  app.get<{ Params: { number: string } }>('/v1/sandbox/handsets/:number', async (request, reply) => {
    const number = normaliseNumber(request.params.number);
    if (number === null) return reply.code(400).send({ message: 'number is not a phone number' });
    return {
      number: displayNumber(number),
      received: {
        sms: smsc.phones.list(number).map((sms) => ({ ...sms, from: shown(sms.from) })),
        chat: platform.phones.list(number).map((chat) => ({ ...chat, from: shown(chat.from) })),
        calls: voice.list(number).map((call) => ({ ...call, from: shown(call.from) })),
      },
      sent: {
        sms: smsc.phones.listSent(number).map((sms) => ({ ...sms, to: shown(sms.to) })),
        chat: platform.phones.listSent(number).map((chat) => ({ ...chat, to: shown(chat.to) })),
      },
    };
  });
  done();
}
