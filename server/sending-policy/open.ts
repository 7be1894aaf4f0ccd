import type { Context } from '../context.ts';
import { CapCounter } from './caps.ts';
import { SendingGate, type SendingGateDeps } from './gate.ts';
import { SendingPolicies } from './sending-policies.ts';

/** The policies of accounts, and what holds their messages to them. */
export function openSendingPolicies(
  deps: Pick<Context, 'sql' | 'clock' | 'channels'> & Omit<SendingGateDeps, 'policies'>,
) {
  const sendingPolicies = new SendingPolicies(deps);
  return {
    sendingPolicies,
    sendingGate: new SendingGate({ ...deps, policies: sendingPolicies }),
    capCounter: new CapCounter(deps),
  };
}
