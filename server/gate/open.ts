import type { Accounts } from '../accounts/accounts.ts';
import { openSendingPolicies } from '../sending-policy/open.ts';
import { Gate } from './gate.ts';

/** Opens the gate, with the sending policies that it decides by. */
export function openGate(
  deps: Parameters<typeof openSendingPolicies>[0] & {
    readonly accounts: Pick<Accounts, 'cached' | 'byId' | 'refresh'>;
  },
) {
  const opened = openSendingPolicies(deps);
  return { ...opened, gate: new Gate({ ...deps, ...opened }) };
}
