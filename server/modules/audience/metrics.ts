import { counter } from '../../kit/observability/metrics.ts';

export const removalsTotal = counter(
  'carillon_removals_total',
  'Numbers that asked to be removed, by page, by reply, or on the chat platform.',
  'by',
);
