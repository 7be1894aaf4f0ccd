import { counter, gauge, histogram, sharedGauge } from '../../kit/observability/metrics.ts';

export const delivered = counter(
  'carillon_events_delivered_total',
  'Pushes and webhooks that were answered with 2xx.',
  'kind',
);
export const failed = counter(
  'carillon_events_failed_total',
  'Failed attempts to push, by reason.',
  'kind',
  'reason',
);
export const attemptSeconds = histogram(
  'carillon_events_attempt_seconds',
  'Time from sending a push or webhook to its response.',
  [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  'kind',
);
export const attemptsDropped = counter(
  'carillon_events_attempts_dropped_total',
  'Attempts that are missing in the log of attempts because the database did not take them in time.',
);
export const pendingAge = sharedGauge(
  'max',
  'carillon_events_pending_age_seconds',
  'Age of the oldest batch of events whose first attempt is not finished.',
);
export const webhookEndpoints = gauge(
  'carillon_webhook_endpoints',
  'Webhook and push endpoints of all accounts that do not accept events: failing for 5 minutes or longer, or disabled.',
  'state',
);
export const inProcess = gauge('carillon_events_in_process', 'Events in the memory of this process.');
