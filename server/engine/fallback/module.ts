import { failureReasonOf } from '../../channels/failure-reasons.ts';
import { defineModule } from '../../run/define-module.ts';
import { Fallbacks } from './fallbacks.ts';
import { fallbackPart } from './personal-data.ts';
import { fallbackTables } from './tables.ts';
import { FallbackWorker } from './worker.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly fallbacks: Fallbacks;
  }
}

/** Sends by another channel what fails on the first. */
export const fallback = defineModule({
  name: 'fallback',
  tables: fallbackTables,
  needs: ['sql', 'clock', 'work'],
  open({ sql, clock, work }) {
    const fallbacks = new Fallbacks({ clock });
    // It registers itself as the worker of its kind.
    new FallbackWorker({ sql, clock, work, fallbacks, reasonOf: (failure) => failureReasonOf(failure).key });
    return { fallbacks };
  },
  personalData: { phase: 'traces', part: () => fallbackPart },
});
