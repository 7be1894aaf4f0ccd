import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '../observability/metrics.ts';

const registers = [metrics];

export const delivered = new Counter({
  name: 'carillon_events_delivered_total',
  help: 'Pushes and webhooks that were answered with 2xx.',
  labelNames: ['kind'],
  registers,
});
export const failed = new Counter({
  name: 'carillon_events_failed_total',
  help: 'Attempts to push that failed, by reason.',
  labelNames: ['kind', 'reason'],
  registers,
});
export const attemptSeconds = new Histogram({
  name: 'carillon_events_attempt_seconds',
  help: 'Time from sending a push or webhook to its answer.',
  labelNames: ['kind'],
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});
export const pendingAge = new Gauge({
  name: 'carillon_events_pending_age_seconds',
  help: 'Age of the oldest batch of events that is not through its first attempt.',
  registers,
});
export const inProcess = new Gauge({
  name: 'carillon_events_in_process',
  help: 'Events that this process holds in memory.',
  registers,
});
