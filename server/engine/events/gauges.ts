import type { Gauge } from '../../run/gauges.ts';
import { countFailingEndpoints } from './failing-endpoints.ts';
import { webhookEndpoints } from './metrics.ts';

/** Milliseconds without a success after which an endpoint counts as failing: a restart of the receiver is shorter. */
const FAILING_MS = 300_000;

/** Webhook endpoints that fail or are switched off. */
export const endpointGauge: Gauge = {
  async measure({ sql, clock }) {
    const counts = await countFailingEndpoints(sql, clock.now() - FAILING_MS);
    webhookEndpoints.set({ state: 'failing' }, counts.failing);
    webhookEndpoints.set({ state: 'off' }, counts.off);
  },
};
