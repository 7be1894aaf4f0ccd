import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import type { Delivery } from '../../events/deliveries.ts';
import { iso, maybeIso, out } from '../../interfaces/openapi/out.ts';
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
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { eventKey, eventType, failedAnswer, sentRequest, showRequest } from './fields.ts';

const MAX_ROWS = 200;
const deliveryStates = ['retrying', 'failed', 'done'] as const;

export const deliveryAnswer = z.object({
  id: out.id('Its id.', '1774337460000011'),
  endpoint_id: out.id('Where it goes.', '1774337460000002'),
  event_id: eventKey,
  type: eventType,
  happened_at: out.time('When it happened'),
  state: out.oneOf(
    deliveryStates,
    '`retrying`: tried again at `next_at`; `failed`: given up; `done`: taken after all.',
    'retrying',
  ),
  attempts: out.count('Attempts until now.', 2),
  next_at: out.maybeTime('The next attempt'),
  give_up_at: out.time('When it is given up'),
  request: sentRequest,
  answer: z
    .object({ at: out.maybeTime('When the last attempt was'), ...failedAnswer })
    .describe('What the last attempt came to.'),
});
/** Shows a delivery, with its request. */
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
const deliveriesQuery = z.object({
  ...page(MAX_ROWS),
  endpoint: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of an address')
    .transform(Number)
    .optional()
    .describe('Only deliveries to this endpoint.'),
  state: oneOf(deliveryStates).optional().describe('Those in this state; all without it.'),
});
const selection = z.object({
  endpoint_id: field(idText('an address').optional(), 'Only of this endpoint.', '1774337460000002'),
  from: field(timeText.optional(), 'Of this time or later, ISO 8601.', '2026-03-24T00:00:00Z'),
  to: field(timeText.optional(), 'Before this time, ISO 8601.', '2026-03-25T00:00:00Z'),
  delivered: field(
    flag.default(false),
    'Also what was delivered, at most 30 days old; needs `from` and `to`.',
    false,
  ),
});
const countAnswer = z.object({ count: out.count('How many will be sent again.', 12) });

type WebhookDeliveriesDeps = Pick<CoreContext, 'events'>;

const route = resource<WebhookDeliveriesDeps>('account');

/** Deliveries that an address did not take at the first attempt. */
export const webhookDeliveryRoutes = [
  route('POST /v1/webhook-deliveries/replay', {
    operationId: 'replayDeliveries',
    title: 'Replay events',
    description:
      'What failed, of an address or of all, in a span of time or altogether; with `delivered` every event of the span. Addresses that are switched off are left out. The receiver sees the same ids as before.',
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
    operationId: 'listDeliveries',
    title: 'List deliveries of a webhook endpoint',
    description:
      'Events that an endpoint did not accept at the first attempt, the newest first, each with its request and the last answer. Events that were accepted at once are counted with the endpoint.',
    query: deliveriesQuery,
    answer: pageAnswer('deliveries', deliveryAnswer),
    handler: async ({ accountId, query: { after, limit, endpoint, state } }, { events }) => {
      const wanted = {
        accountId,
        states: state ? [state] : deliveryStates,
        ...(endpoint !== undefined && { endpointId: endpoint }),
        ...(after !== undefined && { before: after }),
      };
      const { rows, next } = await readPage(limit, (most) => events.pendingDeliveries({ ...wanted, most }));
      const requests = await events.requestsOf(accountId, rows);
      return {
        deliveries: rows.map((row, index) => showDelivery({ ...row, request: showRequest(requests[index]) })),
        next,
      };
    },
  }),
  route('POST /v1/webhook-deliveries/:id/replay', {
    operationId: 'replayDelivery',
    title: 'Replay one event',
    description: 'Also one that was accepted. One that waits for its next attempt is sent at once.',
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
