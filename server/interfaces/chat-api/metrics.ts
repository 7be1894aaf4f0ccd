import { Counter, Histogram } from 'prom-client';
import { metrics } from '../../observability/metrics.ts';

const registers = [metrics];

export const chatRequests = new Counter({
  name: 'carillon_chat_api_requests_total',
  help: 'Requests of the chat API, by operation and HTTP status; `refused` ones are answered with a reason.',
  labelNames: ['operation', 'http', 'outcome'],
  registers,
});

export const chatSeconds = new Histogram({
  name: 'carillon_chat_api_seconds',
  help: 'Time of a request of the chat API, from its body being read to its answer being known.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});
