import { badField } from '../../kit/errors.ts';
import { parseLocal } from '../../kit/time-zones.ts';
import { SEND_KEY_MAX_LENGTH } from '../send-keys/key.ts';
import type { Call } from './operation.ts';
import { element, optionalWhole, text, textIfPresent } from './wire/fields.ts';

/** In every request. The sign-in uses it before the operation runs. */
export const user = element({
  username: text.describe(
    'Account on whose behalf the request acts: that of the token, or one of its subscribers.',
  ),
});

/** In every operation that sends or pays. The endpoint uses it before the operation runs. */
export const sendKey = textIfPresent.meta({
  description:
    'Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again.',
  maxLength: SEND_KEY_MAX_LENGTH,
});

/** A period in the account's time zone, read by `readSpan`. */
export const span = {
  from: text.describe('Start of the span, `dd/mm/yy hh:mm` in the time zone of the account.'),
  to: text.describe('End of the span, as `from`, including this minute. At most one week after `from`.'),
};

/** `span` in an example. */
export const exampleSpan = { from: '20/03/26 00:00', to: '26/03/26 23:59' };

/** Option of operations with phones. */
export const includesInternational = optionalWhole().describe(
  '`1` allows numbers of other countries; otherwise they are refused with 9.',
);

const WEEK = 7 * 86_400_000;

/**
 * Reads `from` and `to` (`dd/mm/yy hh:mm`, the account's time zone) as a period in milliseconds since the epoch,
 * including the last minute. Throws Refusal `bad-field` for an invalid time, or a period that is reversed or longer
 * than `maxMs`.
 */
export function readSpan(
  input: { from: string; to: string },
  call: Call,
  maxMs: number | null = WEEK,
): { from: number; to: number } {
  const from = readTime('from', input.from, call);
  const to = readTime('to', input.to, call);
  if (to < from) throw badField('to', 'must not be before from', 'before-from');
  if (maxMs !== null && to - from > maxMs)
    throw badField('to', 'more than one week after from', 'span-too-long', { days: 7 });
  return { from, to: to + 59_999 };
}

/** Reads a time `dd/mm/yy hh:mm`. Throws Refusal `bad-field`. */
export function readTime(field: string, value: string, call: Call): number {
  const time = parseLocal(value, call.zone);
  if (time === null) throw badField(field, 'must be a time like 31/12/26 23:59', 'not-a-time');
  return time;
}
