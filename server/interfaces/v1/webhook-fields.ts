import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import {
  DuplicateEndpoint,
  type Endpoint,
  EndpointRefused,
  EndpointUnknown,
} from '../../events/endpoints.ts';
import type { RequestOfDelivery } from '../../events/payloads.ts';
import { endpointKinds } from '../../events/types.ts';
import { answered } from '../openapi/shown.ts';
import { NotFound } from './errors.ts';
import { sensitive } from './field-rights.ts';
import { iso, isoTime, maybeIso, maybeTime } from './fields.ts';

/* Addresses that hear of events, and what is sent to them, as several parts of /v1 show them. */

const endpointStates = ['active', 'off'] as const;

export const endpointFields = {
  id: answered(z.string(), 'Its id.', '1774337460000002'),
  kind: answered(
    z.enum(endpointKinds),
    '`webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`.',
    'webhook',
  ),
  url: sensitive(answered(z.string(), 'Where it is sent.', 'https://example.com/hooks'), 'webhook-url'),
  types: answered(z.array(z.string()).nullable(), 'The events that a webhook wants; null: all.', [
    'message.status',
  ]),
  state: answered(z.enum(endpointStates), '`off`: nothing is sent there until it is enabled.', 'active'),
  off_reason: answered(z.string().nullable(), 'Why it was switched off.', null),
  off_at: maybeTime('When it was switched off'),
  delivered: answered(z.int(), 'Events that it took.', 1_200),
  failed: answered(z.int(), 'Attempts that failed.', 3),
  last_success_at: maybeTime('When it took one last'),
  last_failure_at: maybeTime('When an attempt failed last'),
  failing_since: maybeTime('The first failure after which nothing succeeded'),
  created_at: isoTime('When it was registered'),
};
export const endpointAnswer = z.object(endpointFields);
export const eventKey = answered(
  z.string(),
  'The id that the receiver sees, the same in each attempt.',
  'evt_1774337460000009_0',
);
export const eventType = answered(z.string(), 'What happened.', 'message.status');
/** What is sent to an address. */
export const sentRequest = z
  .object({
    url: sensitive(answered(z.string(), 'Where to.', 'https://example.com/hooks'), 'webhook-url'),
    content_type: answered(z.string(), 'Its type.', 'application/json'),
    body: sensitive(
      answered(z.string(), 'What is sent, without the headers that sign it.', '{"type":"message.status"}'),
      'delivery-content',
    ),
  })
  .describe('The request, a `POST`.');
/** What came back when it was not taken. */
export const failedAnswer = {
  http_status: answered(z.int().nullable(), 'Its status; null when there was no answer.', 500),
  error: answered(z.string().nullable(), 'Why it failed.', 'answered 500'),
  body: sensitive(
    answered(z.string().nullable(), 'The first 1,000 characters of the answer.', 'oops'),
    'delivery-content',
  ),
};

/** An address as it is shown, without its secret. */
export function showEndpoint(endpoint: Endpoint): z.output<typeof endpointAnswer> {
  return {
    id: String(endpoint.id),
    kind: endpoint.kind,
    url: endpoint.url,
    types: endpoint.types && [...endpoint.types],
    state: endpoint.state,
    off_reason: endpoint.off_reason,
    off_at: maybeIso(endpoint.off_at),
    delivered: endpoint.delivered,
    failed: endpoint.failed,
    last_success_at: maybeIso(endpoint.last_success_at),
    last_failure_at: maybeIso(endpoint.last_failure_at),
    failing_since: maybeIso(endpoint.failing_since),
    created_at: iso(endpoint.created_at),
  };
}

/** What is sent to an address; empty when the address is not there any more. */
export function showRequest(request: RequestOfDelivery | undefined): z.output<typeof sentRequest> {
  const { url = '', contentType = '', body = '' } = request ?? {};
  return { url, content_type: contentType, body };
}

/** Does what the events' room may refuse, with its refusals in the words of this door. */
export async function onEvents<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EndpointUnknown) throw new NotFound('no such address');
    if (error instanceof DuplicateEndpoint) throw new Refusal('url-known', error.message, 'url');
    if (error instanceof EndpointRefused) throw new Refusal('bad-field', error.message);
    throw error;
  }
}
