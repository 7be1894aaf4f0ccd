import { defineModule } from '../../run/define-module.ts';
import { serve } from '../v1/kit/route.ts';
import { RequestLog } from './request-log.ts';
import { requestsTables } from './tables.ts';
import { requestLogRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly requestLog: RequestLog;
  }
}

/** The request log. */
export const requests = defineModule({
  name: 'requests',
  tables: requestsTables,
  needs: ['sql', 'asyncCommitSql', 'ids', 'log', 'placements'],
  open: (needs) => ({ requestLog: new RequestLog(needs) }),
  stages: ({ requestLog }) => [{ name: 'request log', stop: () => requestLog.stop() }],
  routes: [serve(requestLogRoutes)],
});
