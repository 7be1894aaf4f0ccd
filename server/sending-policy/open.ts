import type { Consents } from '../consents/consents.ts';
import { StandingConsents } from '../consents/standing.ts';
import type { Context } from '../context.ts';
import { CapCounter } from './caps.ts';
import { SendingGate, type SendingGateDeps } from './gate.ts';
import { SendingPolicies } from './sending-policies.ts';

/** The policies of accounts, and what holds their messages to them. */
export function openSendingPolicies(
  deps: Pick<Context, 'sql' | 'clock' | 'channels'> &
    Omit<SendingGateDeps, 'policies' | 'standingConsents'> & {
      readonly consents: Pick<Consents, 'digester'>;
    },
) {
  const sendingPolicies = new SendingPolicies(deps);
  const standingConsents = new StandingConsents(deps);
  return {
    sendingPolicies,
    standingConsents,
    sendingGate: new SendingGate({ ...deps, policies: sendingPolicies, standingConsents }),
    capCounter: new CapCounter(deps),
  };
}
