import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { AccountsDltIds } from './dlt-ids.ts';
import { dltTables } from './tables.ts';
import { dltRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly dltIds: AccountsDltIds;
  }
}

/** Ids of accounts on India's DLT platforms. */
export const dlt = defineModule({
  name: 'dlt',
  tables: dltTables,
  needs: ['sql', 'clock', 'sources'],
  open: ({ sql, clock, sources }) => ({ dltIds: new AccountsDltIds({ sql, clock, sources }) }),
  routes: [serve(dltRoutes)],
});
