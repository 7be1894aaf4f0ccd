import { createEventModule } from '../app-context.ts';
import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { operatorWebhookRoutes } from '../v1/operator/webhooks.ts';
import { webhookDeliveryRoutes } from '../v1/webhooks/deliveries.ts';
import { webhookEventRoutes } from '../v1/webhooks/events.ts';
import { webhookRoutes } from '../v1/webhooks/routes.ts';
import { eventRoutes } from '../v1/webhooks/stream.ts';
import { endpointGauge } from './gauges.ts';
import { eventsPart } from './personal-data.ts';

/** Events, pushes and webhooks. */
export const events = defineModule({
  name: 'events',
  needs: [
    'config',
    'log',
    'clock',
    'database',
    'secrets',
    'process',
    'accounts',
    'ids',
    'tracing',
    'allowPrivate',
    'has',
    'dueLook',
  ],
  open: ({ allowPrivate, has, dueLook, ...context }) => ({
    events: createEventModule(context, { allowPrivate, deliver: has('jobs'), dueLook }),
  }),
  gauges: [endpointGauge],
  personalData: { phase: 'traces', part: () => eventsPart },
  authored: ({ events }) => [events.authored],
  stages: ({ events }) => [
    { name: 'events', start: () => events.start(), stop: (graceMs) => events.stop(graceMs), share: 0.8 },
  ],
  routes: [
    serve(webhookRoutes),
    serve(webhookDeliveryRoutes),
    serve(webhookEventRoutes),
    serve(eventRoutes),
    serve(operatorWebhookRoutes),
  ],
});
