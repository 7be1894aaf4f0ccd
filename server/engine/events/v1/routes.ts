import { z } from 'zod';
import { changes, proven, reads, sendsNothing, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, idOf, rowsAnswer, text } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Endpoint } from '../endpoints.ts';
import type { TestOutcome } from '../test-event.ts';
import { type EventType, eventTypes, registeredKinds } from '../types.ts';
import {
  attemptFields,
  endpointAnswer,
  endpointFields,
  eventKey,
  eventType,
  sentRequest,
  showEndpoint,
  showRequest,
} from './fields.ts';

const secret = out.maybeText(
  'Secret that signs the requests (Standard Webhooks); null for pushes, which are not signed.',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
);
const testAnswer = z.object({
  taken: out.flag('Whether the endpoint accepted it.', true),
  milliseconds: out.count('Time until the response in milliseconds.', 42),
  event_id: eventKey,
  type: eventType,
  request: sentRequest,
  answer: z.object(attemptFields).nullable().describe('Reason why it was not accepted; null if it was.'),
});

const url = text.min(1, 'missing');
const types = z.array(z.enum(eventTypes as [string, ...string[]], 'no such type of event'));

const newEndpoint = z.object({
  kind: field(
    z.enum(registeredKinds, `must be one of ${registeredKinds.join(', ')}`).default('webhook'),
    '`webhook`, or a push of the SMS API.',
    'webhook',
  ),
  url: field(url, 'Address for the events.', 'https://example.com/hooks'),
  types: field(types.optional(), 'Event types of a webhook; default: all.', ['message.status']),
});
const endpointChange = z.object({
  url: field(url.optional(), 'New address for the events.', 'https://example.com/new-hooks'),
  types: field(types.nullable().optional(), 'Event types of a webhook; null: all.', ['message.status']),
});
const testWanted = z.object({
  type: field(
    z.enum(eventTypes as [string, ...string[]], 'no such type of event').optional(),
    'Event type of a webhook; default: one of its event types.',
    'message.status',
  ),
});

type WebhooksDeps = Pick<CoreContext, 'events' | 'budgets'>;

const route = resource<WebhooksDeps>('account');

/** Endpoints for events: webhooks, and pushes of the SMS API. */
export const webhookRoutes = [
  route('GET /v1/webhooks', {
    access: reads('viewer', 'webhooks'),
    operationId: 'listWebhooks',
    title: 'List webhook endpoints',
    description: 'Lists webhooks and pushes of the account, oldest first, without their secrets.',
    answer: rowsAnswer('webhooks', endpointAnswer),
    handler: async ({ accountId }, { events }) => ({
      webhooks: (await events.endpoints.list(accountId)).map(showEndpoint),
    }),
  }),
  route('GET /v1/webhooks/:id', {
    access: reads('viewer', 'webhooks'),
    operationId: 'showWebhook',
    title: 'Show a webhook endpoint',
    description: 'Returns one endpoint, without its secret.',
    id: idOf('endpoint'),
    answer: endpointAnswer,
    handler: async ({ accountId, id }, { events }) => showEndpoint(await events.endpoints.one(accountId, id)),
  }),
  route('GET /v1/webhooks/:id/secret', {
    access: proven(reads('owner', 'webhooks')),
    operationId: 'showWebhookSecret',
    title: 'Show the secret of a webhook endpoint',
    description: 'Returns the secret with which its requests are signed.',
    id: idOf('endpoint'),
    answer: z.object({ secret }),
    handler: async ({ accountId, id }, { events }) => ({
      secret: (await events.endpoints.one(accountId, id)).secret,
    }),
  }),
  route('POST /v1/webhooks', {
    access: sendsNothing(proven(changes('owner', 'webhooks'))),
    operationId: 'registerWebhook',
    title: 'Create a webhook endpoint',
    description: 'Creates an endpoint for new events. The response has the secret of a webhook.',
    refusals: ['url-known'],
    body: newEndpoint,
    answer: z.object({ ...endpointFields, secret }),
    handler: async ({ accountId, body: { kind, url, types } }, { events }) => {
      const made = await events.endpoints.register({
        accountId,
        kind,
        url,
        types: (types as Endpoint['types'] | undefined) ?? null,
      });
      return { ...showEndpoint(made), secret: made.secret };
    },
  }),
  route('PATCH /v1/webhooks/:id', {
    access: proven(changes('owner', 'webhooks')),
    operationId: 'changeWebhook',
    title: 'Change a webhook endpoint',
    description:
      'Updates its address or its event types; the secret stays the same. Waiting events are sent to the new address.',
    refusals: ['url-known'],
    id: idOf('endpoint'),
    body: endpointChange,
    answer: endpointAnswer,
    handler: async ({ accountId, id, body: { url, types } }, { events }) =>
      showEndpoint(
        await events.endpoints.change(accountId, id, { url, types: types as Endpoint['types'] | undefined }),
      ),
  }),
  route('POST /v1/webhooks/:id/test', {
    access: sendsNothing(withoutProof(reads('owner', 'webhooks'), 'sends a test event to a known endpoint')),
    operationId: 'testWebhook',
    title: 'Send a test event',
    description:
      'Sends one example now, signed like every event, also to a disabled endpoint. Its ids belong to no object, and it is not retried. Each test counts in the budget `tests`.',
    refusals: ['over-budget'],
    id: idOf('endpoint'),
    body: testWanted,
    isBodyOptional: true,
    answer: testAnswer,
    handler: async ({ accountId, id, body: { type } }, { events, budgets }) =>
      showTest(await events.test(accountId, id, type as EventType | undefined, budgets)),
  }),
  route('POST /v1/webhooks/:id/enable', {
    access: sendsNothing(
      withoutProof(changes('owner', 'webhooks'), 'resumes deliveries to a known endpoint'),
    ),
    operationId: 'enableWebhook',
    title: 'Enable a webhook endpoint',
    description:
      'Enables the endpoint and resets its failure counters. Deliveries dropped while it was disabled can be replayed.',
    id: idOf('endpoint'),
    answer: endpointAnswer,
    handler: async ({ accountId, id }, { events }) =>
      showEndpoint(await events.endpoints.enable(accountId, id)),
  }),
  route('POST /v1/webhooks/:id/secret', {
    access: sendsNothing(proven(changes('owner', 'webhooks'))),
    operationId: 'rotateWebhookSecret',
    title: 'Rotate the secret of a webhook endpoint',
    description:
      'Creates a new secret. For a day, requests are signed with both secrets, the new one first, so that the receiver can be updated in that time.',
    id: idOf('endpoint'),
    answer: z.object({ secret }),
    handler: async ({ accountId, id }, { events }) => {
      const { secret: made } = await events.endpoints.rotateSecret(accountId, id);
      return { secret: made };
    },
  }),
  route('DELETE /v1/webhooks/:id', {
    access: withoutProof(changes('owner', 'webhooks'), 'takes power away'),
    operationId: 'removeWebhook',
    title: 'Delete a webhook endpoint',
    description: 'Deletes the endpoint and drops its waiting events.',
    id: idOf('endpoint'),
    handler: async ({ accountId, id }, { events }) => {
      await events.endpoints.remove(accountId, id);
    },
  }),
];

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
