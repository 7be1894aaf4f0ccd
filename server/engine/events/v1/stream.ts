import { z } from 'zod';
import { reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { openStream, RETRY_MS, sendStream } from '../../../api/v1/kit/event-stream.ts';
import { found, textOf } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { placeOf } from '../listening.ts';
import { webhookBody } from '../payloads.ts';
import { type EventType, eventTypes, type Item, type RecordedType } from '../types.ts';
import { eventKey, eventType } from './fields.ts';

const query = z.object({
  types: z
    .string()
    .max(1_000)
    .default('')
    .transform((text) => text.split(',').filter((type) => type !== ''))
    .refine(
      (types) => types.every((type) => (eventTypes as readonly string[]).includes(type)),
      because('must be types of events with commas between them', 'unknown-event'),
    )
    .describe('Event types, separated by commas; default: all.'),
  last_event_id: z
    .string()
    .regex(/^(evt_\d{1,16}_\d{1,3})?$/, 'must be the id of an event')
    .default('')
    .describe('Same as the header `Last-Event-ID`, for clients that cannot set it.'),
});

const body = {
  type: 'message.status',
  timestamp: '2026-03-24T07:31:00.000Z',
  data: { message_id: '1774337460000002', status: 102 },
};

const example = `retry: ${RETRY_MS}

: listening

id: evt_1774337460000009_0
event: message.status
data: ${JSON.stringify(body)}

`;

const eventAnswer = z.object({
  event_id: eventKey,
  type: eventType,
  body: sensitive(out.text('Body of a webhook, as it is signed.', JSON.stringify(body)), 'delivery-content'),
});

const route = resource<Pick<CoreContext, 'events'>>('account');

/** Events of an account for programs that cannot receive webhooks: as a stream, and one by its id. */
export const eventRoutes = [
  route('GET /v1/events/stream', {
    access: reads('sender', 'webhooks'),
    operationId: 'streamEvents',
    title: 'Stream events',
    description:
      'Streams server-sent events: the events that a webhook for all types would receive, for programs that cannot receive requests. `data` is the body of the webhook, `id` its `webhook-id`. From the opening of a stream until fifteen minutes after the opening of the last one, events of the account are stored even without an endpoint; those of the first two seconds can be missing. The stream ends after ten minutes, and when the session or token ends: reconnect with `Last-Event-ID`. No event is lost on reconnecting, and some may be repeated.',
    query,
    answer: { events: example },
    handler: async ({ accountId, query: given, isStillAllowed, request, reply }, { events }) => {
      const last = String(request.headers['last-event-id'] ?? given.last_event_id);
      const after = placeOf(last);
      if (last !== '' && !after) {
        throw badField('last_event_id', 'must be the id of an event', 'wrong-format');
      }
      const wanted = new Set<RecordedType>(given.types as EventType[]);
      const stream = openStream(isStillAllowed);
      const close = await events.listening.open(accountId, after, {
        tell: (item) => {
          if (wanted.size === 0 || wanted.has(item.event.type)) stream.write(encode(item));
        },
        isFull: () => stream.isFull,
        end: stream.end,
      });
      stream.body.once('close', close);
      stream.write(': listening\n\n');
      return sendStream(reply, stream);
    },
  }),
  route('GET /v1/events/:id', {
    access: reads('sender', 'webhooks'),
    operationId: 'showEvent',
    title: 'Show an event',
    description: 'Returns an event of the last 30 days, by the id that receivers see.',
    id: textOf('Id of the event: `webhook-id` of the request.'),
    answer: eventAnswer,
    handler: async ({ accountId, id }, { events }) => {
      const { key, event } = found(await events.find(accountId, id), 'event');
      return { event_id: key, type: event.type, body: webhookBody(event) };
    },
  }),
];

const encode = ({ key, event }: Item): string =>
  `id: ${key}\nevent: ${event.type}\ndata: ${webhookBody(event)}\n\n`;
