import { serve } from '../../api/v1/kit/route.ts';
import { operatorSenderRoutes } from '../../modules/audience/v1/operator-senders.ts';
import { sourceRoutes } from '../../modules/audience/v1/senders.ts';
import { defineModule } from '../../run/define-module.ts';
import type { LateBound } from '../../run/services.ts';
import type { Changes } from '../live/changes.ts';
import { Acceptor } from './accept.ts';
import { Canceller } from './cancel.ts';
import type { HandOver } from './hand-over.ts';
import { PhoneVerifier } from './phone-verifier.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly acceptor: Acceptor;
    readonly canceller: Canceller;
    readonly phoneVerifier: PhoneVerifier;
  }
}

/** Acceptance of sends to phones, and cancelling. */
export const acceptance = defineModule({
  name: 'acceptance',
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'config',
    'channels',
    'tracing',
    'placements',
    'lateBound',
    'calls',
    'changes',
    'announce',
    'notifyDispatcher',
    'secretTexts',
    'validityMs',
    'defaultZone',
    'linkBase',
    'callNumber',
    'isKosher',
    'removalWord',
    'accounts',
    'wallets',
    'prices',
    'numbers',
    'verifiedPhones',
    'landlineCodes',
    'events',
    'fraudGuard',
    'budgets',
    'questions',
    'contactLists',
    'suppressions',
    'links',
    'routing',
    'phoneGate',
    'sendingGate',
    'standingConsents',
    'campaigns',
  ],
  open(needs) {
    const { sql, ids, clock, lateBound, changes, announce, campaigns, config } = needs;
    const acceptor = new Acceptor({
      ...needs,
      handOver: handOverTo(lateBound, changes),
      storeListCampaigns: (...send) => campaigns.storeListCampaigns(...send),
    });
    return {
      acceptor,
      canceller: new Canceller({
        sql,
        ids,
        clock,
        unrendered: campaigns.unrendered,
        announce: announce.cancelled,
      }),
      phoneVerifier: new PhoneVerifier({
        ...needs,
        acceptor,
        source: config.VERIFY_SMS_SOURCE,
        text: config.VERIFY_SMS_TEXT,
        callText: config.VERIFY_CALL_TEXT,
      }),
    };
  },
  routes: [serve(sourceRoutes), serve(operatorSenderRoutes)],
});

/** Hands batches over to the dispatcher of this process, if it has one. */
function handOverTo(lateBound: LateBound, changes: Changes): HandOver {
  return {
    leasesFor: (plans) => lateBound.dispatcher?.leasesFor(plans) ?? [],
    take(plans) {
      lateBound.dispatcher!.take(plans);
      for (const { accountId } of plans) changes.notify(accountId);
    },
  };
}
