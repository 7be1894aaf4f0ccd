import { Counter, Histogram } from 'prom-client';
import { metrics } from '../../observability/metrics.ts';

const registers = [metrics];

export const apiRequests = new Counter({
  name: 'carillon_api_requests_total',
  help: 'Requests of the SMS family, by operation and status.',
  labelNames: ['operation', 'status'],
  registers,
});

export const apiSeconds = new Histogram({
  name: 'carillon_api_seconds',
  help: 'Time of a request of the SMS family, from its body being read to its answer being known.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  registers,
});
