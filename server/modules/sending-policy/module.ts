import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { CapCounter } from './caps.ts';
import { SendingGate } from './gate.ts';
import { recipientSendsPart } from './personal-data.ts';
import { SendingPolicies } from './sending-policies.ts';
import { sendingPolicyTables } from './tables.ts';
import { sendingPolicyRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly sendingPolicies: SendingPolicies;
    readonly sendingGate: SendingGate;
    readonly capCounter: CapCounter;
  }
}

/** When, how often and to whom accounts send. */
export const sendingPolicy = defineModule({
  name: 'sending-policy',
  tables: sendingPolicyTables,
  needs: ['sql', 'clock', 'channels', 'accounts', 'defaultZone', 'standingConsents'],
  open({ sql, clock, channels, accounts, defaultZone, standingConsents }) {
    const policies = new SendingPolicies({ sql, clock });
    return {
      sendingPolicies: policies,
      sendingGate: new SendingGate({ policies, accounts, defaultZone, standingConsents }),
      capCounter: new CapCounter({ sql, clock, channels }),
    };
  },
  upkeep: ({ capCounter }) => capCounter.cleanUp(),
  personalData: { phase: 'people', part: () => recipientSendsPart },
  routes: [serve(sendingPolicyRoutes)],
});
