import { counter } from '../observability/metrics.ts';

export const requestsDropped = counter(
  'carillon_request_log_dropped_total',
  'Requests that are not in the request log, because too many waited or the database did not take them.',
);
