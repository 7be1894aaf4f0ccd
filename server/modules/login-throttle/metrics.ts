import { counter } from '../../kit/observability/metrics.ts';

export const signInAttempts = counter(
  'carillon_sign_in_attempts_total',
  'Attempts to sign in with a password or code, by endpoint and outcome (right, wrong, throttled).',
  'endpoint',
  'outcome',
);
