import { counter } from '../../kit/observability/metrics.ts';

export const requestsDropped = counter(
  'carillon_request_log_dropped_total',
  'Requests missing from the request log, because too many waited or the database did not accept them.',
);
