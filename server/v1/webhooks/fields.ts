import { z } from 'zod';
import type { RequestOfDelivery } from '../../events/payloads.ts';
import { endpointKinds } from '../../events/types.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';

/* Addresses that hear of events, and what is sent to them, as several parts of /v1 show them. */

const endpointStates = ['active', 'off'] as const;

export const endpointFields = {
  id: out.id('Its id.', '1774337460000002'),
  kind: out.oneOf(
    endpointKinds,
    '`webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`.',
    'webhook',
  ),
  url: sensitive(out.text('Where it is sent.', 'https://example.com/hooks'), 'webhook-url'),
  types: answered(z.array(z.string()).nullable(), 'The events that a webhook wants; null: all.', [
    'message.status',
  ]),
  state: out.oneOf(endpointStates, '`off`: nothing is sent there until it is enabled.', 'active'),
  off_reason: out.maybeText('Why it was switched off.', null),
  off_at: out.maybeTime('When it was switched off'),
  delivered: out.count('Events that it took.', 1_200),
  failed: out.count('Attempts that failed.', 3),
  last_success_at: out.maybeTime('When it took one last'),
  last_failure_at: out.maybeTime('When an attempt failed last'),
  failing_since: out.maybeTime('The first failure after which nothing succeeded'),
  created_at: out.time('When it was registered'),
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
  http_status: out.maybeCount('Its status; null when there was no answer.', 500),
  error: out.maybeText('Why it failed.', 'answered 500'),
  body: sensitive(out.maybeText('The first 1,000 characters of the answer.', 'oops'), 'delivery-content'),
};

/** Shows an address, without its secret. */
export const showEndpoint = serializer(endpointAnswer);

/** What is sent to an address; empty when the address is not there any more. */
export function showRequest(request: RequestOfDelivery | undefined): z.output<typeof sentRequest> {
  const { url = '', contentType = '', body = '' } = request ?? {};
  return { url, content_type: contentType, body };
}
