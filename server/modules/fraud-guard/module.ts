import { defineModule } from '../../run/define-module.ts';
import { FraudGuard } from './fraud-guard.ts';
import { fraudGuardTables } from './tables.ts';
import { cleanBlocks } from './upkeep.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly fraudGuard: FraudGuard;
  }
}

/** The fraud guard: rules against traffic pumping. */
export const fraudGuard = defineModule({
  name: 'fraud-guard',
  tables: fraudGuardTables,
  needs: ['sql', 'ids', 'clock', 'log', 'events', 'codePolicy'],
  open: ({ sql, ids, clock, log, events, codePolicy }) => ({
    fraudGuard: new FraudGuard({ sql, ids, clock, log, events, settings: codePolicy.fraudGuard }),
  }),
  upkeep: ({ sql, clock, config }) => cleanBlocks(sql, clock.now(), config.KEEP_DAYS),
});
