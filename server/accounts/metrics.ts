import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

export const passwordHashes = new Counter({
  name: 'carillon_password_hashes_total',
  help: 'Password hashes computed, about 25 ms of a processor each.',
  registers: [metrics],
});
