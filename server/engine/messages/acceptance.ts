import { serve } from '../../api/v1/kit/route.ts';
import { operatorSenderRoutes } from '../../modules/audience/v1/operator-senders.ts';
import { sourceRoutes } from '../../modules/audience/v1/senders.ts';
import { defineModule } from '../../run/define-module.ts';
import type { CoreContext } from '../../run/services.ts';
import { isLeasedToPeer } from '../dispatch/peers/peers.ts';
import { CANCELLED_WITH_SEND, endFallback } from '../fallback/rows.ts';
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
    'peers',
    'permits',
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
    'callbacks',
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
    'dltIds',
  ],
  open(needs) {
    const { sql, ids, clock, announce, campaigns, config } = needs;
    const acceptor = new Acceptor({
      ...needs,
      handOver: handOverTo(needs),
      storeListCampaigns: (...send) => campaigns.storeListCampaigns(...send),
    });
    return {
      acceptor,
      canceller: new Canceller({
        sql,
        ids,
        clock,
        unrendered: campaigns.unrendered,
        endFallback: (tx, accountId, id) => endFallback(tx, accountId, id, CANCELLED_WITH_SEND),
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

/** Hands batches over to the dispatcher of this process, or to one of another process of this machine. */
function handOverTo({
  lateBound,
  changes,
  peers,
  permits,
  notifyDispatcher,
}: Pick<CoreContext, 'lateBound' | 'changes' | 'peers' | 'permits' | 'notifyDispatcher'>): HandOver {
  return {
    leasesFor(plans) {
      const own = lateBound.dispatcher?.leasesFor(plans) ?? [];
      return peers ? plans.map((plan, at) => own[at] ?? peers.leaseFor(plan, permits)) : own;
    },
    take(plans) {
      const theirs = plans.filter(isLeasedToPeer);
      if (theirs.length < plans.length)
        lateBound.dispatcher!.take(theirs.length > 0 ? plans.filter((plan) => !isLeasedToPeer(plan)) : plans);
      if (theirs.length > 0) {
        peers!.take(theirs, ({ accountId, plan }) => {
          for (const lane of new Set(plan.batches.map((batch) => batch.lane)))
            notifyDispatcher(accountId, lane);
        });
      }
      for (const { accountId } of plans) changes.notify(accountId);
    },
  };
}
