import { counter } from '../../kit/observability/metrics.ts';

/** Incoming calls, by outcome. */
export const callVerifications = counter(
  'carillon_call_verifications_total',
  'Incoming calls: called (the number is called back with a code), unknown (no verification waits for the number), limit (too many calls from it), refused (no account can pay), other-number (another number was called), failed.',
  'outcome',
);
