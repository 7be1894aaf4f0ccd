import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { field, idOf, pageAnswer, pageLimit, requiredText } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { EventOfEndpoint, EventPlace } from '../of-endpoint.ts';
import { countAnswer, deliveryAnswer, showDelivery } from './deliveries.ts';
import { eventKey, eventType, recordedAttempts, sentRequest, showAttempts, showRequest } from './fields.ts';

const MAX_ROWS = 100;

const states = ['waiting', 'delivered', 'retrying', 'failed', 'done'] as const;

const eventAnswer = z.object({
  event_id: eventKey,
  type: eventType,
  happened_at: out.time('Time of the event'),
  state: out.oneOf(
    states,
    'State: `waiting`: not sent yet; `delivered`: accepted at the first attempt; otherwise the state of its delivery.',
    'delivered',
  ),
  request: sentRequest,
  recorded_attempts: recordedAttempts,
  delivery: deliveryAnswer
    .nullable()
    .describe(
      'Delivery of an event that was not accepted at the first attempt, or was replayed; null for others.',
    ),
});
const showEvent = serializer(eventAnswer, ({ key, event }: Pick<EventOfEndpoint, 'key' | 'event'>) => ({
  event_id: key,
  type: event.type,
  happened_at: iso(event.at),
}));

const query = z.object({
  after: z
    .string()
    .regex(/^(\d{1,16}_\d{1,16})?$/, 'must be what `next` of the page before says')
    .default('')
    .transform((text): EventPlace | undefined => {
      const [batchId, index] = text.split('_').map(Number);
      return index === undefined ? undefined : { batchId: batchId!, index };
    })
    .describe('`next` of the previous page.'),
  limit: pageLimit(MAX_ROWS),
});

const replayBody = z.object({
  event_id: field(requiredText(50), 'Id of the event, as the receiver sees it.', 'evt_1774337460000009_0'),
});

type WebhookEventsDeps = Pick<CoreContext, 'events'>;

const route = resource<WebhookEventsDeps>('account');

/** Events for an endpoint, whatever the result of their delivery. */
export const webhookEventRoutes = [
  route('GET /v1/webhooks/:id/events', {
    access: reads('viewer', 'webhooks'),
    operationId: 'listWebhookEvents',
    title: 'List events of a webhook endpoint',
    description:
      'Lists the events of the last 30 days for the endpoint, newest first, each with its request, its recorded attempts and its outcome. A page may be short, or empty, and still have a `next`: continue with it.',
    id: idOf('endpoint'),
    query,
    answer: pageAnswer('events', eventAnswer),
    handler: async ({ accountId, id, query: { after, limit } }, { events }) => {
      const page = await events.eventsOf(accountId, id, after, limit);
      const attemptsOf = await events.attempts.of(
        accountId,
        page.events.map(({ key }) => key),
      );
      return {
        events: page.events.map(({ key, event, state, ...row }) => {
          const request = showRequest(row.request);
          const delivery = row.delivery && showDelivery({ ...row.delivery, request });
          const recorded_attempts = showAttempts(attemptsOf(key, id));
          return showEvent({ key, event, state, request, recorded_attempts, delivery });
        }),
        next: page.next && `${page.next.batchId}_${page.next.index}`,
      };
    },
  }),
  route('POST /v1/webhooks/:id/replay', {
    access: dailyWork(changes('sender', 'webhooks')),
    operationId: 'replayWebhookEvent',
    title: 'Replay an event to a webhook endpoint',
    description:
      'Sends an event of the last 30 days again, even if it was accepted at the first attempt. The receiver sees the same id as before.',
    refusals: ['not-found'],
    id: idOf('endpoint'),
    body: replayBody,
    answer: countAnswer,
    handler: async ({ accountId, id, body: { event_id } }, { events }) => {
      const count = await events.replayEvent(accountId, id, event_id);
      if (count === 0) throw new Refusal('not-found', 'no such event for the endpoint, or it is on its way');
      return { count };
    },
  }),
];
