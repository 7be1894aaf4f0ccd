import { defineModule } from '../../run/define-module.ts';
import { HeldWork } from './held-work.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly heldWork: HeldWork;
  }
}

const SECOND_MS = 1_000;

/** Work of suspended accounts: held, resumed or cancelled. */
export const suspension = defineModule({
  name: 'suspension',
  needs: ['sql', 'clock', 'accounts', 'canceller', 'announce', 'notifyDispatcher'],
  open: ({ sql, clock, accounts, canceller, announce: { announceSuspended }, notifyDispatcher }) => ({
    heldWork: new HeldWork({ sql, clock, accounts, canceller, announceSuspended, notifyDispatcher }),
  }),
  jobs: ({ heldWork }) => [
    {
      owner: 'suspended accounts',
      everyMs: SECOND_MS,
      step: () => heldWork.run(),
      dueOnCoordinator: () => heldWork.due(),
    },
  ],
});
