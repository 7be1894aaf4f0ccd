import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import type { MessageFact, PlatformFact, StatusFact } from '../../../server/protocols/chat-platform/facts.ts';
import type { PlatformMessage } from '../../../server/protocols/chat-platform/messages.ts';
import {
  answerChallenge,
  isSigned,
  LONGEST_NOTIFICATION,
  parseNotification,
} from '../../../server/protocols/chat-platform/webhooks.ts';
import { demoTemplates } from '../../../server/sandbox/chat-platform/demo-templates.ts';
import type { SandboxChatPlatformOptions } from '../../../server/sandbox/chat-platform/options.ts';
import { SandboxChatPlatform } from '../../../server/sandbox/chat-platform/platform.ts';
import { waitFor } from '../../support/wait-for.ts';

export const BUSINESS = '972550000001';
export const CLIENT = '972501234567';
export const APP_SECRET = 'app secret';
export const VERIFY_TOKEN = 'verify token';
export const contactPage = 'https://carillon.example/contact';
export const account = { accountId: '1029384756', token: 'business token' };
export const app = { appId: '555000', token: account.token };
export const number = { phoneNumberId: '660077', token: account.token };

/** A client of the platform at `port`, closed with the test. */
export function startClient(
  t: TestContext,
  port: number,
  options: { timeoutMs?: number } = {},
): ChatPlatformClient {
  const client = new ChatPlatformClient({ baseUrl: `http://127.0.0.1:${port}`, contactPage, ...options });
  t.after(() => client.close());
  return client;
}

/** A receiver of webhooks that believes only what is signed, closed with the test. */
export class Receiver {
  readonly facts: PlatformFact[] = [];
  /** The bodies that were taken. */
  readonly bodies: string[] = [];
  /** So many requests are answered with 500 before the first is taken. */
  refusals = 0;
  readonly #app: FastifyInstance = fastify({ bodyLimit: LONGEST_NOTIFICATION, forceCloseConnections: true });

  async start(t: TestContext): Promise<string> {
    this.#app.removeAllContentTypeParsers();
    this.#app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    this.#app.get('/hook', async (request, reply) => {
      const challenge = answerChallenge(request.query as Record<string, unknown>, VERIFY_TOKEN);
      return challenge === null ? reply.code(403).send() : reply.send(challenge);
    });
    this.#app.post('/hook', async (request, reply) => {
      const body = request.body as Buffer;
      if (!isSigned(body, request.headers['x-hub-signature-256'] as string | undefined, APP_SECRET)) {
        return reply.code(401).send();
      }
      if (this.refusals > 0) {
        this.refusals--;
        return reply.code(500).send();
      }
      const { facts, refusal } = parseNotification(body, Date.now());
      assert.equal(refusal, undefined);
      this.bodies.push(body.toString());
      this.facts.push(...facts!);
      return reply.send();
    });
    await this.#app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => this.#app.close());
    const address = this.#app.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`;
  }

  statuses(platformId?: string): StatusFact[] {
    return this.facts.filter(
      (fact) => fact.kind === 'status' && (platformId === undefined || fact.platformId === platformId),
    ) as StatusFact[];
  }

  messages(): MessageFact[] {
    return this.facts.filter((fact) => fact.kind === 'message') as MessageFact[];
  }
}

export interface PlatformUnderTest {
  readonly platform: SandboxChatPlatform;
  readonly port: number;
  readonly client: ChatPlatformClient;
  readonly receiver: Receiver;
  readonly callbackUrl: string;
  readonly clock: AdjustableClock;
}

/** A sandbox platform with the demo account's templates, a client of it and a receiver of its webhooks. */
export async function startPlatform(
  t: TestContext,
  options: Partial<SandboxChatPlatformOptions> = {},
): Promise<PlatformUnderTest> {
  const clock = new AdjustableClock();
  const receiver = new Receiver();
  const callbackUrl = await receiver.start(t);
  const platform = new SandboxChatPlatform({
    appId: app.appId,
    appSecret: APP_SECRET,
    businesses: [
      {
        ...account,
        numbers: [{ phoneNumberId: number.phoneNumberId, number: BUSINESS }],
        templates: demoTemplates,
      },
    ],
    callbackUrl,
    clock,
    log: createLogger('silent'),
    sentDelayMs: 5,
    deliveredDelayMs: 5,
    readDelayMs: 5,
    reviewDelayMs: 5,
    webhookRetryMs: 5,
    ...options,
  });
  const port = await platform.listen(0);
  t.after(() => platform.close());
  return { platform, port, client: startClient(t, port), receiver, callbackUrl, clock };
}

let references = 0;
const next = () => `reference-${++references}`;

/** A template message without values. */
export function templateMessage(name: string, to = CLIENT): PlatformMessage {
  const values = { header: null, body: [], buttons: [], offerEndsAt: null };
  return { kind: 'template', to, reference: next(), name, language: 'en', values };
}

export function textMessage(body: string, to = CLIENT): PlatformMessage {
  return { kind: 'text', to, reference: next(), body };
}

/** Sends a message that has to be accepted, and returns the platform's id. */
export async function accepted(client: ChatPlatformClient, message: PlatformMessage): Promise<string> {
  const outcome = await client.sendMessage(number, message);
  assert.equal(outcome.outcome, 'accepted', JSON.stringify(outcome));
  return outcome.outcome === 'accepted' ? outcome.platformId : '';
}

/** Lets the phone write, so that free-form messages may be sent to it. */
export async function openWindow({ platform, receiver }: PlatformUnderTest, from = CLIENT): Promise<string> {
  const written = platform.sendFromPhone({ from, to: BUSINESS, body: 'hello' });
  assert.ok('id' in written);
  await waitFor('the message of the phone', () =>
    receiver.messages().some(({ platformId }) => platformId === written.id),
  );
  return written.id;
}
