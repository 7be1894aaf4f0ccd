import { Counter, Histogram } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

export const accepted = new Counter({
  name: 'carillon_messages_accepted_total',
  help: 'Messages stored durably and answered for.',
  registers,
});

export const acceptSeconds = new Histogram({
  name: 'carillon_accept_seconds',
  help: 'Time of one accepting transaction with the look-ups before it.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers,
});
