import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { RecordedAttempt } from '../attempt-log.ts';
import type { RequestOfDelivery } from '../payloads.ts';
import { endpointKinds } from '../types.ts';

/* Fields of webhook endpoints and their requests, for several parts of /v1. */

const endpointStates = ['active', 'off'] as const;

export const endpointFields = {
  id: out.id('Id of the endpoint.', '1774337460000002'),
  kind: out.oneOf(
    endpointKinds,
    '`webhook`; the push of one event of the SMS API: `dlr`, `incoming`, `blacklist`; or `callback`: a host that programs named for status callbacks or for incoming messages.',
    'webhook',
  ),
  url: sensitive(out.text('Address of the endpoint.', 'https://example.com/hooks'), 'webhook-url'),
  types: answered(z.array(z.string()).nullable(), 'Event types of a webhook; null: all.', ['message.status']),
  state: out.oneOf(endpointStates, 'State. `off`: nothing is sent to it until it is enabled.', 'active'),
  off_reason: out.maybeText('Reason why it was disabled.', null),
  off_at: out.maybeTime('Time at which it was disabled'),
  delivered: out.count('Accepted events.', 1_200),
  failed: out.count('Failed attempts.', 3),
  last_success_at: out.maybeTime('Time of the last accepted event'),
  last_failure_at: out.maybeTime('Time of the last failed attempt'),
  failing_since: out.maybeTime('Time of the first failure since the last success'),
  created_at: out.time('Time of creation'),
};
export const endpointAnswer = z.object(endpointFields);
export const eventKey = out.text(
  'Id that the receiver sees, the same in each attempt.',
  'evt_1774337460000009_0',
);
export const eventType = out.text('Type of the event.', 'message.status');
/** The request to an endpoint. */
export const sentRequest = z
  .object({
    method: out.oneOf(['GET', 'POST'], '`GET` only for callbacks.', 'POST'),
    url: sensitive(out.text('Address of the request.', 'https://example.com/hooks'), 'webhook-url'),
    content_type: out.text('Media type of the body.', 'application/json'),
    body: sensitive(
      out.text(
        'Body, without the signature headers; a `GET` has it in its query.',
        '{"type":"message.status"}',
      ),
      'delivery-content',
    ),
  })
  .describe('Request.');
/** The response to an attempt. */
export const attemptFields = {
  http_status: out.maybeCount('HTTP status; null without a response.', 500),
  error: out.maybeText('Error, if the attempt failed.', 'answered 500'),
  body: sensitive(out.maybeText('First 1,000 characters of the response.', 'oops'), 'delivery-content'),
};

const attemptAnswer = z.object({
  at: out.time('Time of the response'),
  duration_ms: out.number('Milliseconds from the request to the response.', 84.2),
  ...attemptFields,
});
const showAttempt = serializer(attemptAnswer, ({ duration, status, answer }: RecordedAttempt) => ({
  duration_ms: duration / 1_000,
  http_status: status,
  body: answer,
}));
/** The recorded attempts of an event. */
export const recordedAttempts = z
  .array(attemptAnswer)
  .describe(
    'Recorded attempts of the last 7 days, newest first. Up to 10 attempts a second are recorded for each endpoint.',
  );

/** Formats recorded attempts. */
export const showAttempts = (attempts: readonly RecordedAttempt[]) => attempts.map((one) => showAttempt(one));

/** Formats an endpoint, without its secret. */
export const showEndpoint = serializer(endpointAnswer);

/** Formats the request to an endpoint; empty if the endpoint no longer exists. */
export function showRequest(request: RequestOfDelivery | undefined): z.output<typeof sentRequest> {
  const { method = 'POST', url = '', contentType = '', body = '' } = request ?? {};
  return { method, url, content_type: contentType, body };
}
