import { defineModule } from '../../run/define-module.ts';
import { callbacksPart } from './personal-data.ts';
import { StatusCallbacks } from './status-callbacks.ts';
import { callbacksTables } from './tables.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly callbacks: StatusCallbacks;
  }
}

/** Status callbacks: reports about a message to the address that its send named. */
export const callbacks = defineModule({
  name: 'callbacks',
  tables: callbacksTables,
  needs: ['secrets'],
  open: ({ secrets }) => ({ callbacks: new StatusCallbacks({ secrets }) }),
  personalData: { phase: 'traces', part: () => callbacksPart },
});
