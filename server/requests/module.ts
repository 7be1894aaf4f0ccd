import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { requestLogRoutes } from '../v1/account/request-log.ts';
import { RequestLog } from './request-log.ts';

/** The request log. */
export const requests = defineModule({
  name: 'requests',
  needs: ['sql', 'asyncCommitSql', 'ids', 'log', 'placements'],
  open: (needs) => ({ requestLog: new RequestLog(needs) }),
  stages: ({ requestLog }) => [{ name: 'request log', stop: () => requestLog.stop() }],
  routes: [serve(requestLogRoutes)],
});
