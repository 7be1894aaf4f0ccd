import { defineModule } from '../../run/define-module.ts';
import type { Lane } from '../messages/lanes.ts';
import { announcementsOf } from './announcements.ts';
import { removeOldOutages } from './connector-outages.ts';
import { queueGauge } from './gauges.ts';
import { Inbound } from './inbound.ts';
import { Permits } from './permits.ts';
import { incomingPart } from './personal-data.ts';
import { Receipts } from './receipts.ts';
import { Recorder } from './recorder.ts';
import { Signals } from './signals.ts';
import { dispatchTables } from './tables.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly signals: Signals;
    readonly announce: Announcements;
    readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
    readonly recorder: Recorder;
    readonly receipts: Receipts;
    readonly permits: Permits;
    readonly inbound: Inbound;
  }
}

const QUARANTINE_MS = 2_000;

/** Hints between processes about new work, and about work that is cancelled, paused or resumed. */
export const signals = defineModule({
  name: 'signals',
  needs: ['sql', 'log', 'owner', 'database', 'lateBound', 'changes', 'changed', 'peers'],
  open({ sql, log, owner, database, lateBound, changes, changed, peers }) {
    const signals = new Signals(sql, log, owner);
    const announce = announcementsOf(
      lateBound,
      changes,
      changed,
      database.isAlone ? undefined : signals,
      peers,
    );
    return { signals, announce, notifyDispatcher: announce.due };
  },
  stages: ({ accounts, log, signals, peerServer, lateBound: { dispatcher } }) => [
    {
      name: 'signals',
      async start() {
        if (!dispatcher) return;
        await signals.listen({
          due: (work, sender) => {
            // It has sent the same hint over its connection.
            if (peerServer?.hearsFrom(sender)) return;
            if (!work) dispatcher.hintAny();
            else for (const { accountId, lane } of work) dispatcher.hint(accountId, lane);
          },
          cancelled: (shipment) => dispatcher.cancelled(shipment),
          cancelledMessages: (messages) => dispatcher.cancelledMessages(messages),
          paused: (shipment) => dispatcher.paused(shipment),
          resumed: (shipment) => dispatcher.resumed(shipment),
          suspended(accountId) {
            const rest = () => dispatcher.suspended(accountId);
            const failed = (err: unknown) => log.warn({ err }, 'accounts not read after a suspension');
            accounts.reload().then(rest, failed);
          },
        });
      },
      stop: () => signals.stop(),
    },
  ],
});

/** Results of messages, delivery receipts, and what comes in. */
export const dispatch = defineModule({
  name: 'dispatch',
  tables: dispatchTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'channels',
    'tracing',
    'placements',
    'sandbox',
    'hooks',
    'changed',
    'prices',
    'numbers',
    'events',
    'callbacks',
    'consents',
    'blacklist',
    'suppressions',
    'gate',
    'sendingGate',
    'destinations',
    'standingConsents',
    'capCounter',
    'asksRemoval',
    'conversations',
  ],
  open(needs) {
    const { sql, ids, clock, log, sandbox } = needs;
    const recorder = new Recorder(needs);
    return {
      recorder,
      receipts: new Receipts({ sql, ids, clock, recorder, log }),
      permits: new Permits(needs),
      inbound: new Inbound({ ...needs, fallbackAccount: () => sandbox?.demoAccountId }),
    };
  },
  jobs: ({ recorder }) => [
    { owner: 'quarantine', everyMs: QUARANTINE_MS, step: () => recorder.retryQuarantined() },
  ],
  gauges: [queueGauge],
  async upkeep({ inbound, sql, clock, config }) {
    await removeOldOutages({ sql, clock }, config.KEEP_DAYS);
    await inbound.giveUpWaiting();
  },
  personalData: { phase: 'messages', part: () => incomingPart },
});
