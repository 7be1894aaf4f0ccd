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
  needs: ['sql', 'ids', 'clock', 'accounts', 'canceller', 'announce', 'notifyDispatcher'],
  open: ({ announce: { announceSuspended }, ...needs }) => ({
    heldWork: new HeldWork({ ...needs, announceSuspended }),
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
