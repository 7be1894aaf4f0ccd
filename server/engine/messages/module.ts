import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { HourlyStatistics } from './hourly-statistics.ts';
import { cleanUpKeptRequests } from './kept-requests.ts';
import { messagesPart } from './personal-data.ts';
import { SecretTexts } from './secret-text.ts';
import { ShipmentProgress } from './shipment-progress.ts';
import { messagesTables } from './tables.ts';
import { firstStepsRoutes } from './v1/first-steps.ts';
import { operatorOverviewRoutes } from './v1/operator-overview.ts';
import { overviewRoutes } from './v1/overview.ts';
import { messageRoutes } from './v1/routes.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly hourlyStatistics: HourlyStatistics;
    readonly secretTexts: SecretTexts;
    readonly progress: ShipmentProgress;
    /** Called after a commit with the messages that it changed. */
    readonly changed: (accountId: number, messageIds: Iterable<number>) => void;
  }
}

const SECOND_MS = 1_000;

/** Messages of every channel: search, statistics and progress. */
export const messages = defineModule({
  name: 'messages',
  tables: messagesTables,
  needs: ['sql', 'clock', 'log', 'placements', 'secrets', 'changes'],
  open({ sql, clock, log, placements, secrets, changes }) {
    const hourlyStatistics = new HourlyStatistics({ sql, placements, clock, log });
    return {
      hourlyStatistics,
      secretTexts: new SecretTexts(secrets),
      progress: new ShipmentProgress({ sql, clock, log }),
      changed(accountId, messageIds) {
        hourlyStatistics.changed(accountId, messageIds);
        changes.notify(accountId);
      },
    };
  },
  jobs: ({ hourlyStatistics }) => [
    { owner: 'messages by hour', everyMs: SECOND_MS, step: () => hourlyStatistics.run() },
  ],
  async upkeep({ sql, clock, config, progress }) {
    await cleanUpKeptRequests(sql, clock.now(), config.KEEP_DAYS);
    await progress.cleanUp(config.KEEP_DAYS);
  },
  stages: ({ hourlyStatistics }) => [{ name: 'hourly statistics', stop: () => hourlyStatistics.stop() }],
  personalData: {
    phase: 'messages',
    part: ({ ids, clock, channels, campaigns: { unrendered }, announce: { messagesCancelled } }) =>
      messagesPart({ ids, clock, channels, unrendered, messagesCancelled }),
  },
  routes: [
    serve(messageRoutes),
    serve(overviewRoutes),
    serve(firstStepsRoutes),
    serve(operatorOverviewRoutes),
  ],
});
