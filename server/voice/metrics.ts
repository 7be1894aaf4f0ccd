import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

/** Calls that came in, by what they verified. */
export const callVerifications = new Counter({
  name: 'carillon_call_verifications_total',
  help: 'Calls that came in: verified (confirmed a number), unknown, several (more than one account waits for the number), other-number (not the one to call), failed.',
  labelNames: ['outcome'],
  registers,
});
