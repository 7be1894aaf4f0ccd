import { counter, gauge, histogram } from '../observability/metrics.ts';

export const delivered = counter(
  'carillon_events_delivered_total',
  'Pushes and webhooks that were answered with 2xx.',
  'kind',
);
export const failed = counter(
  'carillon_events_failed_total',
  'Attempts to push that failed, by reason.',
  'kind',
  'reason',
);
export const attemptSeconds = histogram(
  'carillon_events_attempt_seconds',
  'Time from sending a push or webhook to its answer.',
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  'kind',
);
export const pendingAge = gauge(
  'carillon_events_pending_age_seconds',
  'Age of the oldest batch of events that is not through its first attempt.',
);
export const webhookEndpoints = gauge(
  'carillon_webhook_endpoints',
  'Webhook and push endpoints of all accounts that take no events: failing for 5 minutes or longer, or disabled.',
  'state',
);
export const inProcess = gauge('carillon_events_in_process', 'Events that this process holds in memory.');
