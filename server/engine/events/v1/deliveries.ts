import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { iso, maybeIso, out } from '../../../api/openapi/out.ts';
import {
  field,
  flag,
  idOf,
  idText,
  oneOf,
  page,
  pageAnswer,
  readPage,
  timeText,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Delivery } from '../deliveries.ts';
import {
  attemptFields,
  eventKey,
  eventType,
  recordedAttempts,
  sentRequest,
  showAttempts,
  showRequest,
} from './fields.ts';

const MAX_ROWS = 200;
const deliveryStates = ['retrying', 'failed', 'done'] as const;

export const deliveryAnswer = z.object({
  id: out.id('Id of the delivery.', '1774337460000011'),
  endpoint_id: out.id('Id of the endpoint.', '1774337460000002'),
  event_id: eventKey,
  type: eventType,
  happened_at: out.time('Time of the event'),
  state: out.oneOf(
    deliveryStates,
    '`retrying`: the next attempt is at `next_at`; `failed`: no attempt follows; `done`: it was accepted in the end.',
    'retrying',
  ),
  attempts: out.count('Attempts so far.', 2),
  next_at: out.maybeTime('Time of the next attempt'),
  give_up_at: out.time('Time after which no attempt follows'),
  request: sentRequest,
  answer: z
    .object({ at: out.maybeTime('Time of the last attempt'), ...attemptFields })
    .describe('Result of the last attempt.'),
});
/** Formats a delivery with its request. */
export const showDelivery = serializer(deliveryAnswer, (row: Delivery) => ({
  event_id: row.event_key,
  type: row.event.type,
  happened_at: iso(row.event.at),
  next_at: row.state === 'retrying' ? iso(row.next_at) : null,
  answer: {
    at: maybeIso(row.last_at),
    http_status: row.last_status,
    error: row.last_error,
    body: row.last_answer,
  },
}));
const listedDelivery = z.object({ ...deliveryAnswer.shape, recorded_attempts: recordedAttempts });
const deliveriesQuery = z.object({
  ...page(MAX_ROWS),
  endpoint: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of an endpoint')
    .transform(Number)
    .optional()
    .describe('Filters by endpoint.'),
  state: oneOf(deliveryStates).optional().describe('Filters by state.'),
});
const selection = z.object({
  endpoint_id: field(
    idText('an endpoint').optional(),
    'Id of the endpoint; default: all endpoints.',
    '1774337460000002',
  ),
  from: field(timeText.optional(), 'Start of the span, included, ISO 8601.', '2026-03-24T00:00:00Z'),
  to: field(timeText.optional(), 'End of the span, excluded, ISO 8601.', '2026-03-25T00:00:00Z'),
  delivered: field(
    flag.default(false),
    'Whether delivered events are replayed too, at most 30 days old; requires `from` and `to`.',
    false,
  ),
});
export const countAnswer = z.object({ count: out.count('Number of events to be sent again.', 12) });

type WebhookDeliveriesDeps = Pick<CoreContext, 'events'>;

const route = resource<WebhookDeliveriesDeps>('account');

/** Deliveries whose first attempt failed. */
export const webhookDeliveryRoutes = [
  route('POST /v1/webhook-deliveries/replay', {
    access: dailyWork(changes('sender', 'webhooks')),
    operationId: 'replayDeliveries',
    title: 'Replay events',
    description:
      'Sends failed events again, of one endpoint or of all, optionally within a span of time; with `delivered` all events of the span. Disabled endpoints are skipped. The receiver sees the same ids as before.',
    refusals: ['not-found'],
    body: selection,
    answer: countAnswer,
    handler: async ({ accountId, body: { endpoint_id: id, from, to, delivered } }, { events }) => {
      const wanted = {
        accountId,
        endpointId: id === undefined ? undefined : Number(id),
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        delivered,
      };
      return { count: await events.replay(wanted) };
    },
  }),
  route('GET /v1/webhook-deliveries', {
    access: reads('viewer', 'webhooks'),
    operationId: 'listDeliveries',
    title: 'List deliveries of a webhook endpoint',
    description:
      'Lists events that an endpoint did not accept at the first attempt, newest first, each with its request, the last response and the recorded attempts.',
    query: deliveriesQuery,
    answer: pageAnswer('deliveries', listedDelivery),
    handler: async ({ accountId, query: { after, limit, endpoint, state } }, { events }) => {
      const wanted = {
        accountId,
        states: state ? [state] : deliveryStates,
        ...(endpoint !== undefined && { endpointId: endpoint }),
        ...(after !== undefined && { before: after }),
      };
      const { rows, next } = await readPage(limit, (most) => events.pendingDeliveries({ ...wanted, most }));
      const [requests, attemptsOf] = await Promise.all([
        events.requestsOf(accountId, rows),
        events.attempts.of(
          accountId,
          rows.map(({ event_key }) => event_key),
        ),
      ]);
      return {
        deliveries: rows.map((row, index) => ({
          ...showDelivery({ ...row, request: showRequest(requests[index]) }),
          recorded_attempts: showAttempts(attemptsOf(row.event_key, row.endpoint_id)),
        })),
        next,
      };
    },
  }),
  route('POST /v1/webhook-deliveries/:id/replay', {
    access: dailyWork(changes('sender', 'webhooks')),
    operationId: 'replayDelivery',
    title: 'Replay one event',
    description:
      'Sends an event again, even if it was accepted. An event that waits for its next attempt is sent now.',
    id: idOf('delivery'),
    answer: countAnswer,
    handler: async ({ accountId, id: deliveryId }, { events }) => {
      const count = await events.replay({ accountId, deliveryId });
      if (count === 0)
        throw new Refusal('not-found', 'no such delivery, or it is on its way, or its address is off');
      return { count };
    },
  }),
];
