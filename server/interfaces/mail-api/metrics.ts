import { Counter, Histogram } from 'prom-client';
import { metrics } from '../../observability/metrics.ts';

const registers = [metrics];

export const mailApiRequests = new Counter({
  name: 'carillon_mail_api_requests_total',
  help: 'Requests of the mailing-list API, by operation and ResultID.',
  labelNames: ['operation', 'result'],
  registers,
});

export const mailApiSeconds = new Histogram({
  name: 'carillon_mail_api_seconds',
  help: 'Time of a request of the mailing-list API, from its body being read to its answer beginning.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});
