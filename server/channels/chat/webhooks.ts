import type { FastifyInstance } from 'fastify';
import { MAX_UNSLICED_BODY } from '../../api/bodies/limits.ts';
import { JsonError, parseJson } from '../../api/bodies/parse-json.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import {
  answerChallenge,
  isSigned,
  LONGEST_NOTIFICATION,
  parseLongNotification,
  parseNotification,
} from '../../protocols/chat-platform/webhooks.ts';
import type { ChatInbound } from './inbound.ts';

/** Path of the platform's webhooks. */
export const CHAT_WEBHOOKS_PATH = '/chat-webhooks';

interface ChatWebhooksOptions {
  readonly inbound: ChatInbound;
  readonly clock: Clock;
  readonly log: Logger;
  /** Signs webhooks (setting CHAT_APP_SECRET). */
  readonly appSecret: string;
  /** Secret that the operator enters when registering the address on the platform (setting CHAT_VERIFY_TOKEN). */
  readonly verifyToken: string;
}

/**
 * The chat platform's webhooks, a Fastify plugin. `GET` answers the platform's test of the address. `POST` is accepted
 * only with the signature of its exact bytes (401), and answered with 200 when its contents are stored; 503 requests a
 * repetition.
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
    // It comes from the platform, and would not become readable by repetition.
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

/** Parses a long body as JSON; undefined if it is invalid. Texts are checked where they are used. */
async function readLong(body: Buffer): Promise<unknown> {
  try {
    return await parseJson(body.toString('utf8'), () => {});
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
