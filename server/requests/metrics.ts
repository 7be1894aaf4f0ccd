import { Counter } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

export const requestsDropped = new Counter({
  name: 'carillon_request_log_dropped_total',
  help: 'Requests that are not in the request log, because too many waited or the database did not take them.',
  registers: [metrics],
});
