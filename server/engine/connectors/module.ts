import { serve } from '../../api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../run/define-module.ts';
import type { Routing } from '../carriers/routing.ts';
import { CarrierRoutes } from './carrier-routes.ts';
import { Connectors } from './connectors.ts';
import { Networks } from './look-ups/networks.ts';
import { LookUps } from './look-ups/stored-look-up.ts';
import { CarrierNetwork } from './network.ts';
import { connectorsTables } from './tables.ts';
import { operatorCarrierRoutes } from './v1/carrier-routes.ts';
import { operatorConnectorRoutes } from './v1/connectors.ts';
import { httpCarrierRoutes } from './v1/http-carriers.ts';
import { operatorNetworkRoutes } from './v1/network.ts';
import { numberLookUpRoutes } from './v1/number-look-up.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly network: CarrierNetwork;
    readonly routing: Routing;
    readonly connectors: Connectors;
    readonly routes: CarrierRoutes;
    readonly numberNetworks: Networks;
    readonly lookUps: LookUps;
  }
}

/** Connectors and routes of the configuration, and those that operators add. */
export const connectors = defineModule({
  name: 'connectors',
  tables: connectorsTables,
  needs: ['sql', 'ids', 'clock', 'secrets', 'log', 'configured', 'allowPrivate'],
  async open({ sql, ids, clock, secrets, log, configured, allowPrivate }) {
    const network = new CarrierNetwork({ sql, clock, secrets, log, configured });
    await network.reload();
    return {
      network,
      routing: network.routing,
      connectors: new Connectors({ sql, clock, secrets, network, allowPrivate }),
      routes: new CarrierRoutes({ sql, ids, clock, network }),
      numberNetworks: new Networks({ sql, clock, log, network, allowPrivate }),
      lookUps: new LookUps({ sql, clock, secrets, network }),
    };
  },
  stages: ({ network, numberNetworks }) => [
    {
      name: 'connectors and routes',
      start: () => network.start(),
      async stop(graceMs) {
        await network.stop(graceMs);
        await numberNetworks.stop();
      },
    },
  ],
  upkeep: ({ numberNetworks }) => numberNetworks.remembered.removeOld(),
  routes: [
    serve(operatorNetworkRoutes, (context: RouteContext) => ({
      ...context,
      trunks: context.network.callTrunks,
      sandbox: context.sandbox?.controls,
    })),
    serve(operatorConnectorRoutes),
    serve(httpCarrierRoutes),
    serve(operatorCarrierRoutes),
    serve(numberLookUpRoutes),
  ],
});
