import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Alerts } from './alerts.ts';
import { alertContactsPart } from './personal-data.ts';
import { alertsTables } from './tables.ts';
import { alertRoutes, operatorAlertRoutes } from './v1/routes.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly alerts: Alerts;
  }
}

/** Alerts to people. */
export const alerts = defineModule({
  name: 'alerts',
  tables: alertsTables,
  needs: [
    'config',
    'sql',
    'asyncCommitSql',
    'ids',
    'clock',
    'log',
    'channels',
    'tables',
    'secrets',
    'tracing',
    'lateBound',
    'pageBase',
    'accounts',
    'authors',
    'network',
    'acceptor',
    'gate',
    'sendKeys',
    'events',
    'budgets',
    'fraudGuard',
    'questions',
    'work',
  ],
  open: ({ lateBound, ...needs }) => ({ alerts: new Alerts({ ...needs, mailer: () => lateBound.mailer }) }),
  jobs: ({ alerts }) => alerts.jobs,
  upkeep: ({ alerts, config }) => alerts.cleanUp(config.KEEP_DAYS),
  personalData: { phase: 'people', part: () => alertContactsPart },
  authored: ({ alerts: { rules } }) => [
    {
      kind: 'alert-rule',
      route: ['POST', '/v1/alert-rules'],
      authors: () => rules.authors(),
      stop: (tx, gone) => rules.stop(tx, gone),
    },
  ],
  routes: [serve(alertRoutes), serve(operatorAlertRoutes)],
});
