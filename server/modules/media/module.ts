import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import type { MediaFetches } from './fetches.ts';
import type { Media, MediaFiles } from './media.ts';
import { openMedia } from './open.ts';
import { heldFiles } from './rows.ts';
import { mediaTables } from './tables.ts';
import { mediaRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly media: Media;
    readonly mediaFetches: MediaFetches;
    readonly mediaFiles: MediaFiles;
    readonly closeMedia: () => Promise<void>;
  }
}

/** Files of chat messages. */
export const media = defineModule({
  name: 'media',
  tables: mediaTables,
  needs: ['sql', 'ids', 'clock', 'log', 'config', 'budgets', 'work'],
  open: (needs) => openMedia(needs),
  upkeep: ({ media }) => media.cleanUp(),
  storedFiles: heldFiles,
  stages: ({ closeMedia }) => [{ name: 'media store', stop: () => closeMedia() }],
  routes: [serve(mediaRoutes)],
});
