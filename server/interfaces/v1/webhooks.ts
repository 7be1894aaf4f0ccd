import { z } from 'zod';
import type { Endpoint } from '../../events/endpoints.ts';
import type { Events } from '../../events/events.ts';
import type { TestOutcome } from '../../events/test-event.ts';
import { type EventType, endpointKinds, eventTypes } from '../../events/types.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer } from './fields.ts';
import { withBody } from './json-body.ts';
import {
  endpointAnswer,
  endpointFields,
  eventKey,
  eventType,
  failedAnswer,
  onEvents,
  sentRequest,
  showEndpoint,
  showRequest,
} from './webhook-fields.ts';

const secret = answered(
  z.string().nullable(),
  'What signs the requests (Standard Webhooks); null for pushes, which are not signed.',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
);
const testAnswer = z.object({
  taken: answered(z.boolean(), 'Whether the address took it.', true),
  milliseconds: answered(z.int(), 'How long its answer took.', 42),
  event_id: eventKey,
  type: eventType,
  request: sentRequest,
  answer: z.object(failedAnswer).nullable().describe('Why it was not taken; null when it was.'),
});

const newEndpoint = z.object({
  kind: z
    .enum(endpointKinds, `must be one of ${endpointKinds.join(', ')}`)
    .default('webhook')
    .meta({ description: '`webhook`, or a push of the SMS family.', examples: ['webhook'] }),
  url: z
    .string('must be a text')
    .min(1, 'missing')
    .meta({ description: 'Where to send.', examples: ['https://example.com/hooks'] }),
  types: z
    .array(z.enum(eventTypes as [string, ...string[]], 'no such type of event'))
    .optional()
    .meta({
      description: 'Of a webhook: the events that it wants; all without it.',
      examples: [['message.status']],
    }),
});
const testWanted = z.object({
  type: z
    .enum(eventTypes as [string, ...string[]], 'no such type of event')
    .optional()
    .meta({
      description: 'Of a webhook: which event; one that it wants without it.',
      examples: ['message.status'],
    }),
});

const pathOfEndpoint = 'The id of the address.';
type WithId = { Params: { id: string } };

/**
 * Addresses that hear of events, under /v1, a part of the door:
 * - `GET /webhooks`, `GET /webhooks/:id`: the addresses of the account, those that are switched off too
 * - `GET /webhooks/:id/secret`: what signs its requests; `POST`: another one
 * - `POST /webhooks/:id/test`: sends an example of an event
 * - `POST /webhooks`, `POST /webhooks/:id/enable`, `DELETE /webhooks/:id`
 */
export function webhooksPart({ events }: { readonly events: Events }): V1Part {
  async function find(accountId: number, text: string): Promise<Endpoint> {
    const id = pathId(text, 'address');
    const found = (await events.listEndpoints(accountId)).find((endpoint) => endpoint.id === id);
    if (!found) throw new NotFound('no such address');
    return found;
  }

  return (app, accountOf) => {
    app.get(
      '/webhooks',
      described({
        chapter: 'account',
        id: 'listWebhooks',
        title: 'Addresses that hear of events',
        description: 'Webhooks and pushes of the account, the oldest first, without their secrets.',
        answer: z.object({ webhooks: z.array(endpointAnswer) }),
      }),
      async (request) => ({
        webhooks: (await events.listEndpoints(accountOf(request).id)).map(showEndpoint),
      }),
    );

    app.get<WithId>(
      '/webhooks/:id',
      described({
        chapter: 'account',
        id: 'showWebhook',
        title: 'An address that hears of events',
        description: 'One of them, without its secret.',
        pathId: pathOfEndpoint,
        answer: endpointAnswer,
        refusals: ['not-found'],
      }),
      async (request) => showEndpoint(await find(accountOf(request).id, request.params.id)),
    );

    app.get<WithId>(
      '/webhooks/:id/secret',
      described({
        chapter: 'account',
        id: 'showWebhookSecret',
        title: 'The secret of a webhook',
        description: 'What its requests are signed with.',
        pathId: pathOfEndpoint,
        answer: z.object({ secret }),
        refusals: ['not-found'],
      }),
      async (request) => ({ secret: (await find(accountOf(request).id, request.params.id)).secret }),
    );

    app.post(
      '/webhooks',
      withBody(
        described({
          chapter: 'account',
          id: 'registerWebhook',
          title: 'Register an address for events',
          description: 'From now on events are sent there. The secret of a webhook is in the answer.',
          answer: z.object({ ...endpointFields, secret }),
          refusals: ['url-known'],
        }),
        newEndpoint,
      ),
      async (request) => {
        const { kind, url, types } = read(newEndpoint, request.body);
        const made = await onEvents(() =>
          events.registerEndpoint({
            accountId: accountOf(request).id,
            kind,
            url,
            types: (types as Endpoint['types'] | undefined) ?? null,
          }),
        );
        return { ...showEndpoint(made), secret: made.secret };
      },
    );

    app.post<WithId>(
      '/webhooks/:id/test',
      withBody(
        described({
          chapter: 'account',
          id: 'testWebhook',
          title: 'Send an example of an event',
          description:
            'Once and at once, signed as all are, also to an address that is switched off. Its ids belong to nothing; it is neither counted nor tried again.',
          pathId: pathOfEndpoint,
          answer: testAnswer,
          refusals: ['not-found'],
        }),
        testWanted,
      ),
      async (request) => {
        const id = pathId(request.params.id, 'address');
        const { type } = read(testWanted, request.body ?? {});
        const accountId = accountOf(request).id;
        return showTest(await onEvents(() => events.test(accountId, id, type as EventType | undefined)));
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.post<WithId>(
        '/webhooks/:id/enable',
        described({
          chapter: 'account',
          id: 'enableWebhook',
          title: 'Switch an address on again',
          description: 'With a clean record. What was given up meanwhile can be sent again.',
          pathId: pathOfEndpoint,
          answer: endpointAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'address');
          return showEndpoint(await onEvents(() => events.enableEndpoint(accountOf(request).id, id)));
        },
      );

      bodiless.post<WithId>(
        '/webhooks/:id/secret',
        described({
          chapter: 'account',
          id: 'rotateWebhookSecret',
          title: 'Give a webhook another secret',
          description:
            'For a day requests are signed with both, the new one first, so that the receiver can be changed meanwhile.',
          pathId: pathOfEndpoint,
          answer: z.object({ secret }),
          refusals: ['not-found'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'address');
          const { secret: made } = await onEvents(() => events.rotateSecret(accountOf(request).id, id));
          return { secret: made };
        },
      );

      bodiless.delete<WithId>(
        '/webhooks/:id',
        described({
          chapter: 'account',
          id: 'removeWebhook',
          title: 'Remove an address',
          description: 'Nothing is sent there any more; what waits for it is given up.',
          pathId: pathOfEndpoint,
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'address');
          await onEvents(() => events.removeEndpoint(accountOf(request).id, id));
          return done;
        },
      );
    });
  };
}

function showTest({ key, type, request, failure, milliseconds }: TestOutcome): z.output<typeof testAnswer> {
  return {
    taken: failure === null,
    milliseconds,
    event_id: key,
    type,
    request: showRequest(request),
    answer: failure && { http_status: failure.status, error: failure.error, body: failure.answer },
  };
}
