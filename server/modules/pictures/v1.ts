import { z } from 'zod';
import { changes, dailyWork, reads } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import {
  field,
  found,
  idOf,
  pageAnswer,
  pageInOrder,
  pageOf,
  queryText,
  readPage,
} from '../../api/v1/kit/fields.ts';
import { announcedSize } from '../../api/v1/kit/files.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import { pictureUrl } from '../../kit/http/picture-address.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { CoreContext } from '../../run/services.ts';
import type { Picture } from './pictures.ts';

const MAX_FILE_NAME = 240;
const MAX_ROWS = 200;

const pictureAnswer = z.object({
  id: out.id('Id of the picture.', '1774337460000003'),
  url: out.text(
    'Public address of the picture, for emails. Everybody who knows it can read the picture.',
    'https://carillon.example/pictures/3q2-7wAAqrvMzN3u_wARIg',
  ),
  name: out.text('Name of the uploaded file; empty without one.', 'logo.png'),
  mime_type: out.text('Media type, detected from the content.', 'image/png'),
  size: out.count('Size in bytes.', 48_213),
  created_at: out.time('Time of the upload'),
});

type PictureDeps = Pick<CoreContext, 'pictures' | 'gate' | 'pageBase'>;

const show = serializer(pictureAnswer, ({ id, code, base }: Picture & { readonly base: string }) => ({
  url: pictureUrl(base, code),
  created_at: iso(timeOfId(id)),
}));

const route = resource<PictureDeps>('mail', {
  'public pictures, which everyone with the address can read': ['url'],
});

/** Pictures for emails, and the logo. */
export const pictureRoutes = [
  route('GET /v1/pictures', {
    access: reads('viewer', 'read'),
    operationId: 'listPictures',
    title: 'List pictures',
    description: 'Returns the uploaded pictures of the account, the latest first.',
    query: z.object(pageInOrder(MAX_ROWS, 'the latest come first.')),
    answer: pageAnswer('pictures', pictureAnswer),
    handler: ({ accountId, query: { after: before, limit } }, { pictures, pageBase }) =>
      pageOf(
        'pictures',
        (picture) => show({ ...picture, base: pageBase() }),
        readPage(limit, (most) => pictures.list(accountId, { before, limit: most })),
      ),
  }),
  route('POST /v1/pictures', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'uploadPicture',
    title: 'Upload a picture',
    description:
      'Stores the picture in the request body (JPEG, PNG or GIF, up to 2 MiB) at a public address, for emails and as a logo. It is kept until it is deleted, and counts in the budget `files`.',
    refusals: ['not-now', 'over-budget'],
    query: z.object({
      name: field(queryText(MAX_FILE_NAME).default(''), 'Name of the file.', 'logo.png'),
    }),
    file: {
      mediaType: 'application/octet-stream',
      description: 'Content of the picture.',
      example: 'GIF89a…',
    },
    answer: pictureAnswer,
    handler: async ({ accountId, query: { name }, file, request, audit }, { gate, pictures, pageBase }) => {
      await gate.check(accountId);
      const size = announcedSize(request);
      const picture = await pictures.add(accountId, { name, size, content: file });
      audit({ kind: 'picture', id: picture.id, after: { type: picture.mimeType, bytes: picture.size } });
      return show({ ...picture, base: pageBase() });
    },
  }),
  route('DELETE /v1/pictures/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deletePicture',
    title: 'Delete a picture',
    description:
      'Deletes the picture. Emails that were sent with it show its alternative text, and it ends as the logo of the account.',
    id: idOf('picture'),
    handler: async ({ accountId, id, audit }, { pictures }) => {
      const picture = found(await pictures.find(accountId, id), 'picture');
      await pictures.remove(picture);
      audit({ kind: 'picture', id });
    },
  }),
];
