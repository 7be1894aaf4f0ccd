import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { mediaRoutes } from '../v1/messages/media.ts';
import { openMedia } from './open.ts';
import { heldFiles } from './rows.ts';

/** Files of chat messages. */
export const media = defineModule({
  name: 'media',
  needs: ['sql', 'ids', 'clock', 'log', 'config', 'budgets', 'work'],
  open: (needs) => openMedia(needs),
  upkeep: ({ media }) => media.cleanUp(),
  storedFiles: heldFiles,
  stages: ({ closeMedia }) => [{ name: 'media store', stop: () => closeMedia() }],
  routes: [serve(mediaRoutes)],
});
