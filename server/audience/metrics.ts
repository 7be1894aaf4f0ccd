import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

export const removalsTotal = new Counter({
  name: 'carillon_removals_total',
  help: 'Numbers that asked to be removed, by page or by reply.',
  labelNames: ['by'],
  registers: [metrics],
});
