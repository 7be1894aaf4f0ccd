import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Changes } from './changes.ts';
import { liveRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly changes: Changes;
  }
}

/** Live updates for open streams. */
export const live = defineModule({
  name: 'live',
  needs: ['sql', 'log', 'database'],
  open: ({ sql, log, database }) => ({ changes: new Changes({ sql, log, alone: database.isAlone }) }),
  stages: ({ changes }) => [{ name: 'changes', stop: () => changes.stop() }],
  routes: [serve(liveRoutes)],
});
