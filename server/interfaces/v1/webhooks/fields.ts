import { z } from 'zod';
import type { Endpoint } from '../../../events/endpoints.ts';
import type { RequestOfDelivery } from '../../../events/payloads.ts';
import { endpointKinds } from '../../../events/types.ts';
import { answered } from '../../openapi/shown.ts';
import { sensitive } from '../field-rights.ts';
import { iso, isoTime, maybeIso, maybeTime, out } from '../kit/fields.ts';

/* Addresses that hear of events, and what is sent to them, as several parts of /v1 show them. */

const endpointStates = ['active', 'off'] as const;

export const endpointFields = {
  id: out.text('Its id.', '1774337460000002'),
  kind: answered(
    z.enum(endpointKinds),
    '`webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`.',
    'webhook',
  ),
  url: sensitive(out.text('Where it is sent.', 'https://example.com/hooks'), 'webhook-url'),
  types: answered(z.array(z.string()).nullable(), 'The events that a webhook wants; null: all.', [
    'message.status',
  ]),
  state: answered(z.enum(endpointStates), '`off`: nothing is sent there until it is enabled.', 'active'),
  off_reason: out.maybeText('Why it was switched off.', null),
  off_at: maybeTime('When it was switched off'),
  delivered: out.count('Events that it took.', 1_200),
  failed: out.count('Attempts that failed.', 3),
  last_success_at: maybeTime('When it took one last'),
  last_failure_at: maybeTime('When an attempt failed last'),
  failing_since: maybeTime('The first failure after which nothing succeeded'),
  created_at: isoTime('When it was registered'),
};
export const endpointAnswer = z.object(endpointFields);
export const eventKey = out.text(
  'The id that the receiver sees, the same in each attempt.',
  'evt_1774337460000009_0',
);
export const eventType = out.text('What happened.', 'message.status');
/** What is sent to an address. */
export const sentRequest = z
  .object({
    url: sensitive(out.text('Where to.', 'https://example.com/hooks'), 'webhook-url'),
    content_type: out.text('Its type.', 'application/json'),
    body: sensitive(
      out.text('The body, without the signature headers.', '{"type":"message.status"}'),
      'delivery-content',
    ),
  })
  .describe('The request, a `POST`.');
/** What came back when it was not taken. */
export const failedAnswer = {
  http_status: answered(z.int().nullable(), 'Its status; null when there was no answer.', 500),
  error: out.maybeText('Why it failed.', 'answered 500'),
  body: sensitive(out.maybeText('The first 1,000 characters of the answer.', 'oops'), 'delivery-content'),
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
