import { chatEvidence } from '../../server/channels/chat/evidence.ts';
import { mailEvidence } from '../../server/channels/mail/evidence.ts';
import { smsEvidence } from '../../server/channels/sms/evidence.ts';
import { Destinations } from '../../server/engine/gate/destinations.ts';
import { Gate } from '../../server/engine/gate/gate.ts';
import type { Context } from '../../server/kit/context.ts';
import type { Accounts } from '../../server/modules/accounts/accounts.ts';
import type { Consents } from '../../server/modules/consents/consents.ts';
import { StandingConsents } from '../../server/modules/consents/standing.ts';
import { CapCounter } from '../../server/modules/sending-policy/caps.ts';
import { SendingGate } from '../../server/modules/sending-policy/gate.ts';
import { SendingPolicies } from '../../server/modules/sending-policy/sending-policies.ts';

interface GateDeps extends Pick<Context, 'sql' | 'clock' | 'channels'> {
  readonly accounts: Pick<Accounts, 'cached' | 'byId' | 'refresh'>;
  readonly consents: Pick<Consents, 'digester'>;
  readonly defaultZone: string;
}

/** The gate with what it decides by, for tests that open no modules. */
export function openGate(deps: GateDeps) {
  const policies = new SendingPolicies(deps);
  const standingConsents = new StandingConsents(deps);
  const sendingGate = new SendingGate({ ...deps, policies, standingConsents });
  const gate = new Gate({ ...deps, sendingPolicies: policies, sendingGate });
  gate.addEvidence('sms', smsEvidence(deps.sql));
  gate.addEvidence('chat', chatEvidence(deps.sql));
  gate.addEvidence('mail', mailEvidence(deps.sql));
  return {
    sendingPolicies: policies,
    standingConsents,
    sendingGate,
    capCounter: new CapCounter(deps),
    destinations: new Destinations(deps),
    gate,
  };
}
