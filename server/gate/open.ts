import type { Accounts } from '../accounts/accounts.ts';
import { openSendingPolicies } from '../sending-policy/open.ts';
import { Destinations } from './destinations.ts';
import { Gate } from './gate.ts';

/** Opens the gate, with the sending policies and the rules about destinations that it decides by. */
export function openGate(
  deps: Parameters<typeof openSendingPolicies>[0] & {
    readonly accounts: Pick<Accounts, 'cached' | 'byId' | 'refresh'>;
  },
) {
  const opened = openSendingPolicies(deps);
  return { ...opened, destinations: new Destinations(deps), gate: new Gate({ ...deps, ...opened }) };
}
