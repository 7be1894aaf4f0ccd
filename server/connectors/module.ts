import { defineModule, type RouteContext } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { operatorCarrierRoutes } from '../v1/operator/carrier-routes.ts';
import { operatorConnectorRoutes } from '../v1/operator/connectors.ts';
import { operatorNetworkRoutes } from '../v1/operator/network.ts';
import { Connectors } from './connectors.ts';
import { CarrierNetwork } from './network.ts';
import { Routes } from './routes.ts';

/** Connectors and routes of the configuration, and those that operators add. */
export const connectors = defineModule({
  name: 'connectors',
  needs: ['sql', 'ids', 'clock', 'secrets', 'log', 'configured'],
  async open({ sql, ids, clock, secrets, log, configured }) {
    const network = new CarrierNetwork({ sql, secrets, log, configured });
    await network.reload();
    return {
      network,
      routing: network.routing,
      connectors: new Connectors({ sql, clock, secrets, network }),
      routes: new Routes({ sql, ids, clock, network }),
    };
  },
  stages: ({ network }) => [
    { name: 'connectors and routes', start: () => network.start(), stop: (graceMs) => network.stop(graceMs) },
  ],
  routes: [
    serve(operatorNetworkRoutes, (context: RouteContext) => ({
      ...context,
      trunks: context.network.trunks,
      sandbox: context.sandbox?.controls,
    })),
    serve(operatorConnectorRoutes),
    serve(operatorCarrierRoutes),
  ],
});
