import { open } from '../../api/access/rules.ts';
import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { PICTURE_PATH } from './address.ts';
import { picturePage } from './picture-page.ts';
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
  access: { [`GET ${PICTURE_PATH}:code`]: open('link') },
  api: ({ pictures, log }) => ({
    register: async (server) => {
      await server.register(picturePage, { pictures, log });
    },
  }),
  routes: [serve(pictureRoutes)],
});
