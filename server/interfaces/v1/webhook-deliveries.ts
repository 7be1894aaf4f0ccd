import { z } from 'zod';
import type { Delivery } from '../../events/deliveries.ts';
import type { Events } from '../../events/events.ts';
import type { RequestOfDelivery } from '../../events/payloads.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { afterId, cut, idText, iso, isoTime, maybeIso, maybeTime, next, timeText } from './fields.ts';
import { withBody } from './json-body.ts';
import { eventKey, eventType, failedAnswer, onEvents, sentRequest, showRequest } from './webhook-fields.ts';

const ROWS_MOST = 200;
const deliveryStates = ['retrying', 'failed', 'done'] as const;

const deliveryAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000011'),
  endpoint_id: answered(z.string(), 'Where it goes.', '1774337460000002'),
  event_id: eventKey,
  type: eventType,
  happened_at: isoTime('When it happened'),
  state: answered(
    z.enum(deliveryStates),
    '`retrying`: tried again at `next_at`; `failed`: given up; `done`: taken after all.',
    'retrying',
  ),
  attempts: answered(z.int(), 'Attempts until now.', 2),
  next_at: maybeTime('The next attempt'),
  give_up_at: isoTime('When it is given up'),
  request: sentRequest,
  answer: z
    .object({ at: maybeTime('When the last attempt was'), ...failedAnswer })
    .describe('What the last attempt came to.'),
});
const deliveriesQuery = z.object({
  after: afterId,
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  endpoint: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of an address')
    .transform(Number)
    .optional()
    .describe('Deliveries to this address alone.'),
  state: z
    .enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`)
    .optional()
    .describe('Those in this state; all without it.'),
});
const selection = z.object({
  endpoint_id: idText('an address')
    .optional()
    .meta({ description: 'Of this address alone.', examples: ['1774337460000002'] }),
  from: timeText.optional().meta({
    description: 'Of this time or later, ISO 8601.',
    examples: ['2026-03-24T00:00:00Z'],
  }),
  to: timeText
    .optional()
    .meta({ description: 'Before this time, ISO 8601.', examples: ['2026-03-25T00:00:00Z'] }),
  delivered: z
    .boolean('must be true or false')
    .default(false)
    .meta({
      description: 'Also what was delivered, at most 30 days old; needs `from` and `to`.',
      examples: [false],
    }),
});
const countAnswer = z.object({ count: answered(z.int(), 'How many will be sent again.', 12) });

/**
 * What addresses that hear of events did not take at once, under /v1, a part of the door:
 * - `GET /webhook-deliveries?after=&limit=&endpoint=&state=`: each with its request and the last answer
 * - `POST /webhook-deliveries/:id/replay`: sends one again
 * - `POST /webhook-deliveries/replay`: sends again what failed, or all of a time
 */
export function webhookDeliveriesPart({ events }: { readonly events: Events }): V1Part {
  return (app, accountOf) => {
    app.post(
      '/webhook-deliveries/replay',
      withBody(
        described({
          chapter: 'account',
          id: 'replayDeliveries',
          title: 'Send events again',
          description:
            'What failed, of an address or of all, in a span of time or altogether; with `delivered` every event of the span. Addresses that are switched off are left out. The receiver sees the same ids as before.',
          answer: countAnswer,
          refusals: ['not-found'],
        }),
        selection,
      ),
      async (request) => {
        const { endpoint_id: id, from, to, delivered } = read(selection, request.body);
        const wanted = {
          accountId: accountOf(request).id,
          endpointId: id === undefined ? undefined : Number(id),
          from: from === undefined ? undefined : Date.parse(from),
          to: to === undefined ? undefined : Date.parse(to),
          delivered,
        };
        return { count: await onEvents(() => events.replay(wanted)) };
      },
    );

    app.get(
      '/webhook-deliveries',
      described({
        chapter: 'account',
        id: 'listDeliveries',
        title: 'Deliveries of events',
        description:
          'Events that an address did not take at the first attempt, the newest first, each with its request and the last answer. What was taken at once is counted with the address.',
        query: deliveriesQuery,
        answer: z.object({ deliveries: z.array(deliveryAnswer), next }),
      }),
      async (request) => {
        const { after, limit, endpoint, state } = read(deliveriesQuery, request.query);
        const account = accountOf(request);
        const found = await events.pendingDeliveries({
          accountId: account.id,
          most: limit + 1,
          states: state ? [state] : deliveryStates,
          ...(endpoint !== undefined && { endpointId: endpoint }),
          ...(after !== undefined && { before: after }),
        });
        const page = cut(found, limit);
        const requests = await events.requestsOf(account.id, page.rows);
        return {
          deliveries: page.rows.map((row, index) => showDelivery(row, requests[index])),
          next: page.next,
        };
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      bodiless.post<{ Params: { id: string } }>(
        '/webhook-deliveries/:id/replay',
        described({
          chapter: 'account',
          id: 'replayDelivery',
          title: 'Send one event again',
          description: 'Also one that was taken. One that is being retried is left to that.',
          pathId: 'The id of the delivery.',
          answer: countAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const deliveryId = pathId(request.params.id, 'delivery');
          const count = await onEvents(() => events.replay({ accountId: accountOf(request).id, deliveryId }));
          if (count === 0) throw new NotFound('no such delivery, or it is on its way, or its address is off');
          return { count };
        },
      );
    });
  };
}

function showDelivery(
  row: Delivery,
  request: RequestOfDelivery | undefined,
): z.output<typeof deliveryAnswer> {
  return {
    id: String(row.id),
    endpoint_id: String(row.endpoint_id),
    event_id: row.event_key,
    type: row.event.type,
    happened_at: iso(row.event.at),
    state: row.state,
    attempts: row.attempts,
    next_at: row.state === 'retrying' ? iso(row.next_at) : null,
    give_up_at: iso(row.give_up_at),
    request: showRequest(request),
    answer: {
      at: maybeIso(row.last_at),
      http_status: row.last_status,
      error: row.last_error,
      body: row.last_answer,
    },
  };
}
