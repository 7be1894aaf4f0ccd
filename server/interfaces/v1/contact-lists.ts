import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ContactList, ContactLists } from '../../audience/contact-lists.ts';
import type { Exports } from '../../audience/exports.ts';
import { FILE_MOST, type Imports } from '../../audience/imports.ts';
import { Refusal } from '../../errors.ts';
import { sendCsv, showExport, showImport } from './csv-answers.ts';
import { pathId, read, type V1Part } from './door.ts';

const PAGE_MOST = 500;

const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,15}$/, 'must be the id of a list')
    .default('')
    .transform(Number),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(PAGE_MOST, `must be ${PAGE_MOST} or less`)
    .default(PAGE_MOST),
});
const importQuery = z.object({
  header: z.enum(['auto', 'yes', 'no'], 'must be auto, yes or no').default('auto'),
});

type WithId = { Params: { id: string } };

/**
 * Contact lists under /v1, a part of the door:
 * - `GET /contact-lists?after=&limit=`: the lists, without their contacts
 * - `GET /contact-lists/:id`: one of them
 * - `POST /contact-lists/:id/import?header=auto|yes|no`, the body is the CSV file: an import, which goes on by itself
 * - `GET /contact-lists/:id/export`: the list as CSV, at once
 * - `POST /contact-lists/:id/export`: an export in the background, to be fetched from /v1/exports
 */
export function contactListsPart(parts: {
  readonly contactLists: ContactLists;
  readonly imports: Imports;
  readonly exports: Exports;
}): V1Part {
  const { contactLists, imports, exports } = parts;
  return (app, accountOf) => {
    app.get('/contact-lists', async (request) => {
      const { after, limit } = read(page, request.query);
      const lists = await contactLists.list(accountOf(request).id, after, limit);
      return { contact_lists: lists.map(show) };
    });

    app.get<WithId>('/contact-lists/:id', async (request) => {
      const id = pathId(request.params.id, 'contact list');
      const list = (await contactLists.find(accountOf(request).id, [id])).get(id);
      if (!list) throw new Refusal('unknown-list', 'no such contact list');
      return show(list);
    });

    app.get<WithId>('/contact-lists/:id/export', async (request, reply) => {
      const id = pathId(request.params.id, 'contact list');
      return sendCsv(reply, `contacts-${id}.csv`, await exports.stream(accountOf(request).id, id));
    });

    app.post<WithId>('/contact-lists/:id/export', async (request, reply) => {
      const id = pathId(request.params.id, 'contact list');
      return reply.code(202).send(showExport(await exports.start(accountOf(request).id, id)));
    });

    app.register(async (uploads) => {
      // Whatever the content type says: the body is the file, and is not to be held in memory.
      uploads.removeAllContentTypeParsers();
      uploads.addContentTypeParser('*', (_request, body, done) => done(null, body));
      uploads.post<WithId>('/contact-lists/:id/import', { bodyLimit: FILE_MOST }, async (request, reply) => {
        const id = pathId(request.params.id, 'contact list');
        const { header } = read(importQuery, request.query);
        const file = (request.body as Readable | undefined) ?? Readable.from([]);
        const job = await imports.receive(accountOf(request).id, id, file, header);
        return reply.code(202).send(showImport(job, []));
      });
    });
  };
}

function show(list: ContactList) {
  return {
    id: String(list.id),
    name: list.name,
    columns: list.columns,
    count: list.count,
    created_at: new Date(list.createdAt).toISOString(),
  };
}
