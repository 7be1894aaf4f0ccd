import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

export const signInAttempts = new Counter({
  name: 'carillon_sign_in_attempts_total',
  help: 'Attempts to sign in with a password or code, by endpoint and outcome (right, wrong, throttled).',
  labelNames: ['endpoint', 'outcome'],
  registers: [metrics],
});
