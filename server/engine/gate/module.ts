import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Destinations } from './destinations.ts';
import { Gate } from './gate.ts';
import { PhoneGate } from './phones.ts';
import { gateTables } from './tables.ts';
import { operatorDestinationRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly destinations: Destinations;
    readonly gate: Gate;
    readonly phoneGate: PhoneGate;
  }
}

/** The one gate before every send. */
export const gate = defineModule({
  name: 'gate',
  tables: gateTables,
  needs: [
    'sql',
    'clock',
    'config',
    'accounts',
    'sources',
    'numbers',
    'verifySources',
    'sendingPolicies',
    'sendingGate',
  ],
  open({ sql, clock, config, accounts, sources, numbers, verifySources, sendingPolicies, sendingGate }) {
    const destinations = new Destinations({ sql, clock });
    const gate = new Gate({ sql, clock, accounts, sendingPolicies, sendingGate });
    const serviceSource = config.VERIFY_SMS_SOURCE;
    return {
      destinations,
      gate,
      phoneGate: new PhoneGate({ gate, destinations, sources, numbers, verifySources, serviceSource }),
    };
  },
  routes: [serve(operatorDestinationRoutes)],
});
