import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { workTables } from './tables.ts';
import { operatorWorkRoutes } from './v1.ts';
import { Work } from './work.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly work: Work;
  }
}

/** Background work of every kind. */
export const work = defineModule({
  name: 'work',
  tables: workTables,
  needs: ['sql', 'asyncCommitSql', 'clock', 'log', 'placements', 'owner'],
  open: (needs) => ({ work: new Work(needs) }),
  jobs: ({ work }) => work.jobs,
  upkeep: ({ work, config }) => work.cleanUp(config.KEEP_DAYS),
  gauges: [{ measure: ({ work }) => work.measure() }],
  routes: [serve(operatorWorkRoutes)],
});
