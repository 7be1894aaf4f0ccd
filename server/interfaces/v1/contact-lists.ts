import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ContactList, ContactLists } from '../../audience/contact-lists.ts';
import type { Exports } from '../../audience/exports.ts';
import type { Imports } from '../../audience/imports.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import {
  checkLength,
  columnChoice,
  csvFile,
  exportAnswer,
  exportedFile,
  headerChoice,
  importAnswer,
  readFile,
  sendCsv,
  showExport,
  showImport,
} from './csv-answers.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';

const PAGE_MOST = 500;

const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,15}$/, 'must be the id of a list')
    .default('')
    .transform(Number)
    .describe('The `id` of the last list of the page before.'),
  limit: pageLimit(PAGE_MOST).describe('Lists of a page.'),
});
const importQuery = z.object({ header: headerChoice, columns: columnChoice });

/** A contact list as it is described; `showList` gives it. */
export const listAnswer = z.object({
  id: answered(z.string(), 'Its id, `cl_id` in the SMS family.', '1774337460000002'),
  name: answered(z.string(), 'Its name.', 'Customers'),
  columns: answered(z.array(z.string()), 'The names of its dynamic fields.', ['first name', 'town']),
  count: answered(z.int(), 'How many numbers it has.', 1_200),
  created_at: answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z'),
});
export const pathOfList = 'The id of the contact list.';

type WithId = { Params: { id: string } };

/**
 * Contact lists under /v1, a part of the door:
 * - `GET /contact-lists?after=&limit=`: the lists, without their contacts
 * - `GET /contact-lists/:id`: one of them
 * - `POST /contact-lists/:id/import?header=auto|yes|no&columns=phone,1,2`, the body is the CSV file: an import, which goes on by itself
 * - `GET /contact-lists/:id/export`: the list as CSV, at once
 * - `POST /contact-lists/:id/export`: an export in the background, to be fetched from /v1/exports
 */
export function contactListsPart(parts: {
  readonly contactLists: ContactLists;
  readonly imports: Imports;
  readonly exports: Exports;
}): V1Part {
  const { contactLists, imports, exports } = parts;
  return (app, accountOf, callerOf) => {
    takeBodies(app, passOver);

    app.get(
      '/contact-lists',
      described({
        chapter: 'contacts',
        id: 'listContactLists',
        title: 'Contact lists with their counts',
        description: 'The lists in the order of their ids, without their numbers.',
        query: page,
        answer: z.object({ contact_lists: z.array(listAnswer) }),
      }),
      async (request) => {
        const { after, limit } = read(page, request.query);
        const lists = await contactLists.list(accountOf(request).id, after, limit);
        return { contact_lists: lists.map(showList) };
      },
    );

    app.get<WithId>(
      '/contact-lists/:id',
      described({
        chapter: 'contacts',
        id: 'showContactList',
        title: 'A contact list with its count',
        description: 'One list, without its numbers.',
        pathId: pathOfList,
        answer: listAnswer,
        refusals: ['not-found', 'unknown-list'],
      }),
      async (request) => {
        const id = pathId(request.params.id, 'contact list');
        return showList(await contactLists.get(accountOf(request).id, id));
      },
    );

    app.get<WithId>(
      '/contact-lists/:id/export',
      described({
        chapter: 'contacts',
        id: 'exportContactList',
        title: 'Export a contact list at once',
        description: 'The list as CSV, streamed.',
        pathId: pathOfList,
        answer: exportedFile,
        refusals: ['not-found', 'unknown-list'],
      }),
      async (request, reply) => {
        const id = pathId(request.params.id, 'contact list');
        return sendCsv(request, reply, `contacts-${id}.csv`, await exports.stream(accountOf(request).id, id));
      },
    );

    app.post<WithId>(
      '/contact-lists/:id/export',
      described({
        chapter: 'contacts',
        id: 'startExport',
        title: 'Export a contact list in the background',
        description:
          'Goes on by itself, over restarts too; when it is done, the file can be fetched for a week.',
        pathId: pathOfList,
        answer: exportAnswer,
        status: 202,
        refusals: ['not-found', 'unknown-list'],
      }),
      async (request, reply) => {
        const id = pathId(request.params.id, 'contact list');
        const { session, tokenId } = callerOf(request);
        const by = { person: session?.person, tokenId };
        const job = await exports.start(accountOf(request).id, id, by);
        return reply.code(202).send(showExport(job));
      },
    );

    app.register(async (uploads) => {
      takeBodies(uploads, (body) => body);
      const about = described({
        chapter: 'contacts',
        id: 'importContacts',
        title: 'Import a CSV file into a contact list',
        description:
          'The body is the file. It is imported in the background, over restarts too; rows that cannot be used are left out and told of. The column that is named like one is the phone, otherwise the first; up to six more are the dynamic fields. `columns` chooses otherwise.',
        pathId: pathOfList,
        query: importQuery,
        file: csvFile,
        answer: importAnswer,
        status: 202,
        refusals: ['not-found', 'unknown-list', 'too-large', 'not-now'],
      });
      uploads.post<WithId>('/contact-lists/:id/import', about, async (request, reply) => {
        const id = pathId(request.params.id, 'contact list');
        const { header, columns } = read(importQuery, request.query);
        checkLength(request);
        const file = readFile(request.body as Readable | undefined);
        const job = await imports.receive(accountOf(request).id, id, file, header, columns);
        return reply.code(202).send(showImport(job, []));
      });
    });
  };
}

/** A contact list as callers see it. */
export function showList(list: ContactList): z.output<typeof listAnswer> {
  return {
    id: String(list.id),
    name: list.name,
    columns: [...list.columns],
    count: list.count,
    created_at: new Date(list.createdAt).toISOString(),
  };
}
