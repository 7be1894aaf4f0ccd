import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { mediaRoutes } from '../v1/messages/media.ts';
import { openMedia } from './open.ts';
import { heldFiles } from './rows.ts';

const SECOND_MS = 1_000;
/** Longer than one turn of fetching files (fetches.ts). */
const FETCHES_MS = 330_000;

/** Files of chat messages. */
export const media = defineModule({
  name: 'media',
  needs: ['sql', 'ids', 'clock', 'log', 'config', 'owner', 'budgets'],
  open: (needs) => openMedia(needs),
  jobs: ({ mediaFetches }) => [
    {
      owner: 'media fetches',
      everyMs: SECOND_MS,
      limitMs: FETCHES_MS,
      step: () => mediaFetches.run(),
      due: () => [mediaFetches.due()],
      stop: () => mediaFetches.stop(),
    },
  ],
  upkeep: ({ media }) => media.cleanUp(),
  storedFiles: heldFiles,
  stages: ({ closeMedia }) => [{ name: 'media store', stop: () => closeMedia() }],
  routes: [serve(mediaRoutes)],
});
