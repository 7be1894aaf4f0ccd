import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { openMedia } from './open.ts';
import { heldFiles } from './rows.ts';
import { mediaRoutes } from './v1.ts';

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
