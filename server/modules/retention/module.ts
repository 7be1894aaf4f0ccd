import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Remover } from './remover.ts';
import { Retention } from './retention.ts';
import { retentionTables } from './tables.ts';
import { retentionRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly retention: Retention;
    readonly remover: Remover;
  }
}

const HOUR_MS = 3_600_000;
/** The start has enough to do. */
const FIRST_MS = 30_000;
/** Longer than the deadline of dropping a partition (database/partitions.ts). */
const RUN_MS = 900_000;
/** Pause between two looks for texts of accounts that have them not stored. */
const TEXTS_MS = 15_000;

/** How long accounts keep what, and the removal of what is older. */
export const retention = defineModule({
  name: 'retention',
  tables: retentionTables,
  needs: ['sql', 'clock', 'log', 'config', 'channels', 'tables', 'textStorage', 'placements', 'media'],
  open(needs) {
    const { sql, config, textStorage } = needs;
    const retention = new Retention({ sql, config, textStorage });
    return { retention, remover: new Remover({ ...needs, retention }) };
  },
  jobs: ({ remover }) => [
    {
      owner: 'retention',
      everyMs: HOUR_MS,
      firstMs: FIRST_MS,
      limitMs: RUN_MS,
      step: () => remover.run(),
      stop: () => remover.stop(),
    },
    { owner: 'retention', everyMs: TEXTS_MS, step: () => remover.runWithoutTexts() },
  ],
  routes: [serve(retentionRoutes)],
});
