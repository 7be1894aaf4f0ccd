import type { FastifyInstance } from 'fastify';
import {
  answerChallenge,
  isSigned,
  LONGEST_NOTIFICATION,
  parseLongNotification,
  parseNotification,
} from '../../carriers/chat-platform/webhooks.ts';
import type { Clock } from '../../clock.ts';
import { MAX_UNSLICED_BODY } from '../../interfaces/bodies/limits.ts';
import { JsonError, parseJson } from '../../interfaces/bodies/parse-json.ts';
import type { Logger } from '../../observability/log.ts';
import type { ChatInbound } from './inbound.ts';

/** Where the platform brings what happens. */
export const CHAT_WEBHOOKS_PATH = '/chat-webhooks';

interface ChatWebhooksOptions {
  readonly inbound: ChatInbound;
  readonly clock: Clock;
  readonly log: Logger;
  /** Signs webhooks (setting CHAT_APP_SECRET). */
  readonly appSecret: string;
  /** Told to the platform when the address is registered there (setting CHAT_VERIFY_TOKEN). */
  readonly verifyToken: string;
}

/**
 * The chat platform's webhooks, a Fastify plugin. `GET` answers the platform's test of the address; `POST` is believed
 * only with the signature over its very bytes (401), and answered 200 when what it brings is stored; 503 asks for it
 * again.
 */
export async function chatWebhooks(app: FastifyInstance, options: ChatWebhooksOptions): Promise<void> {
  const { inbound, clock, log, appSecret, verifyToken } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: LONGEST_NOTIFICATION },
    (_request, body, done) => done(null, body),
  );

  app.get(CHAT_WEBHOOKS_PATH, async (request, reply) => {
    const challenge = answerChallenge(request.query as Record<string, unknown>, verifyToken);
    return challenge === null
      ? reply.code(403).send()
      : reply.type('text/plain; charset=utf-8').send(challenge);
  });

  app.post(CHAT_WEBHOOKS_PATH, async (request, reply) => {
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const signature = request.headers['x-hub-signature-256'];
    if (!isSigned(body, typeof signature === 'string' ? signature : undefined, appSecret)) {
      log.warn({ requestId: request.id }, 'a webhook without the right signature was refused');
      return reply.code(401).send();
    }
    const { facts } =
      body.length <= MAX_UNSLICED_BODY
        ? parseNotification(body, clock.now())
        : await parseLongNotification(await readLong(body), clock.now());
    // It is the platform's, and will not become readable by being sent again.
    if (!facts) return reply.code(400).send();
    try {
      await inbound.take(facts);
    } catch (error) {
      log.warn(
        { err: error, requestId: request.id },
        'a webhook could not be stored, the platform brings it again',
      );
      return reply.code(503).send();
    }
    return reply.code(200).send();
  });
}

/** A long body as JSON; undefined when it cannot be read. What its texts hold is looked at where they are used. */
async function readLong(body: Buffer): Promise<unknown> {
  try {
    return await parseJson(body.toString('utf8'), () => {});
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
