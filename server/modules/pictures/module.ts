import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { heldPictures, Pictures } from './pictures.ts';
import { picturesTables } from './tables.ts';
import { pictureRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly pictures: Pictures;
  }
}

/** Pictures of emails, and logos of accounts. */
export const pictures = defineModule({
  name: 'pictures',
  tables: picturesTables,
  needs: ['sql', 'ids', 'clock', 'accounts', 'budgets', 'mediaFiles'],
  open: ({ mediaFiles, ...needs }) => ({ pictures: new Pictures({ ...needs, files: mediaFiles }) }),
  upkeep: ({ pictures }) => pictures.cleanUp(),
  storedFiles: heldPictures,
  routes: [serve(pictureRoutes)],
});
