import { defineModule } from '../../run/define-module.ts';
import { serve } from '../v1/kit/route.ts';
import { RequestLog } from './request-log.ts';
import { requestLogRoutes } from './v1.ts';

/** The request log. */
export const requests = defineModule({
  name: 'requests',
  needs: ['sql', 'asyncCommitSql', 'ids', 'log', 'placements'],
  open: (needs) => ({ requestLog: new RequestLog(needs) }),
  stages: ({ requestLog }) => [{ name: 'request log', stop: () => requestLog.stop() }],
  routes: [serve(requestLogRoutes)],
});
