import { counter } from '../../observability/metrics.ts';

/** Incoming calls, by outcome. */
export const callVerifications = counter(
  'carillon_call_verifications_total',
  'Calls that came in: called (the number is called back with a code), unknown (nobody waits for the number), limit (it was called too often), refused (no account can pay, or none is left), other-number (not the one to call), failed.',
  'outcome',
);
