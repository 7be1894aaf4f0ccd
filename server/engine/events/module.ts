import { serve } from '../../api/v1/kit/route.ts';
import { createEventModule } from '../../run/app-context.ts';
import { defineModule } from '../../run/define-module.ts';
import type { Events } from './events.ts';
import { endpointGauge } from './gauges.ts';
import { eventsPart } from './personal-data.ts';
import { eventsTables } from './tables.ts';
import { webhookDeliveryRoutes } from './v1/deliveries.ts';
import { webhookEventRoutes } from './v1/events.ts';
import { operatorWebhookRoutes } from './v1/operator-webhooks.ts';
import { webhookRoutes } from './v1/routes.ts';
import { eventRoutes } from './v1/stream.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly events: Events;
  }
}

/** Events, pushes and webhooks. */
export const events = defineModule({
  name: 'events',
  tables: eventsTables,
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
