import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { liveRoutes } from '../v1/messages/live.ts';
import { Changes } from './changes.ts';

/** Live updates for open streams. */
export const live = defineModule({
  name: 'live',
  needs: ['sql', 'log', 'database'],
  open: ({ sql, log, database }) => ({ changes: new Changes({ sql, log, alone: database.embedded }) }),
  stages: ({ changes }) => [{ name: 'changes', stop: () => changes.stop() }],
  routes: [serve(liveRoutes)],
});
