import { counter } from '../../kit/observability/metrics.ts';

export const passwordHashes = counter(
  'carillon_password_hashes_total',
  'Password hashes computed, about 25 ms of a processor each.',
);
