import { counter, histogram } from '../../kit/observability/metrics.ts';

export const accepted = counter(
  'carillon_messages_accepted_total',
  'Messages stored durably and acknowledged to the caller.',
);

export const acceptSeconds = histogram(
  'carillon_accept_seconds',
  'Duration of one accepting transaction with the look-ups before it.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
);
