import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { CsvJob } from '../../audience/csv-jobs.ts';
import type { MailColumn } from '../../channels/mail/csv-layout.ts';
import type { MailExports } from '../../channels/mail/exports.ts';
import { DESCRIPTION_MOST, isOneLine, KEY_MOST, LIST_NAME_MOST } from '../../channels/mail/given.ts';
import type { MailImports } from '../../channels/mail/imports.ts';
import type { MailList, MailLists } from '../../channels/mail/lists.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import {
  checkLength,
  exportAnswer,
  headerChoice,
  importAnswer,
  readFile,
  sendCsv,
  showExport,
  showImport,
} from './csv-answers.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { done, doneAnswer } from './fields.ts';
import { withBody } from './json-body.ts';

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
const importQuery = z.object({
  header: headerChoice,
  columns: z
    .string()
    .transform((text) => text.split(',').map((column) => column.trim()))
    .refine((columns) => columns.every(isColumn), {
      error: 'must be like email,first_name,last_name,cellphone,,field:city',
    })
    .transform((columns) => columns.map(readColumn))
    .optional()
    .describe(
      'What the columns of the file are, in their order: `email`, `first_name`, `last_name`, `cellphone`, `field:` and a name, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names.',
    ),
});

const standardColumns = ['email', 'first_name', 'last_name', 'cellphone'] as const;
const FIELD = 'field:';

function isColumn(text: string): boolean {
  if (text === '' || standardColumns.some((one) => one === text)) return true;
  const name = text.slice(FIELD.length).trim();
  return text.startsWith(FIELD) && name !== '' && name.length <= KEY_MOST && isOneLine(name);
}

function readColumn(text: string): MailColumn {
  if (text.startsWith(FIELD)) return { name: text.slice(FIELD.length).trim() };
  return standardColumns.find((one) => one === text) ?? null;
}

const name = z
  .string('must be a text')
  .trim()
  .min(1, 'missing')
  .max(LIST_NAME_MOST, `over ${LIST_NAME_MOST} characters`)
  .refine(isOneLine, 'must be one line')
  .meta({ description: 'Its name.', examples: ['Newsletter'] });
const description = z
  .string('must be a text')
  .trim()
  .max(DESCRIPTION_MOST, `over ${DESCRIPTION_MOST} characters`)
  .meta({ description: 'What it is for.', examples: ['News once a month'] });
const confirm = z.boolean('must be true or false').meta({
  description: 'Whether who is added has to confirm it by a link in a mail (double opt-in).',
  examples: [false],
});
const track = z
  .boolean('must be true or false')
  .meta({ description: 'Whether opens and clicks of mails to it are counted.', examples: [true] });
const newList = z.object({
  name,
  description: description.optional(),
  confirm: confirm.optional(),
  track: track.optional(),
});
const changes = newList.partial();

export const mailListAnswer = z.object({
  id: answered(z.string(), 'Its id, `ExistingListID` in the mailing-list API.', '17'),
  name: answered(z.string(), 'Its name.', 'Newsletter'),
  description: answered(z.string(), 'What it is for; may be empty.', 'News once a month'),
  confirm: answered(z.boolean(), 'Whether who is added has to confirm it.', false),
  track: answered(z.boolean(), 'Whether opens and clicks are counted.', true),
  columns: answered(z.array(z.string()), 'Names of the fields that its users were given.', ['city']),
  users: answered(z.int(), 'How many users it has.', 1_000),
  active: answered(z.int(), 'How many of them get mails.', 950),
  created_at: answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z'),
});
export const pathOfMailList = 'The id of the mailing list.';
const exported =
  'email,first name,last name,cellphone,status,city\r\ndana@example.com,Dana,Cohen,,active,Haifa\r\n';

type WithId = { Params: { id: string } };

/**
 * Mailing lists under /v1, a part of the door:
 * - `GET /mail/lists?after=&limit=`, `GET /mail/lists/:id`: the lists with their counts
 * - `POST /mail/lists`, `PATCH /mail/lists/:id`, `DELETE /mail/lists/:id`: makes, changes, removes one
 * - `POST /mail/lists/:id/empty`: takes all users out of it
 * - `POST /mail/lists/:id/import?header=&columns=`, the body is the CSV file; `GET` and `POST /mail/lists/:id/export`: as of
 *   contact lists, with the same `/imports` and `/exports`
 */
export function mailListsPart(parts: {
  readonly lists: MailLists;
  readonly imports: MailImports;
  readonly exports: MailExports;
}): V1Part {
  const { lists, imports, exports } = parts;
  return (app, accountOf, callerOf, once) => {
    app.post(
      '/mail/lists',
      withBody(
        described({
          chapter: 'mail',
          id: 'newMailList',
          title: 'Make a mailing list with settings',
          description: 'A list without users. Names need not be unique.',
          answer: mailListAnswer,
        }),
        newList,
      ),
      async (request) => showMailList(await lists.create(accountOf(request).id, read(newList, request.body))),
    );

    app.patch<WithId>(
      '/mail/lists/:id',
      withBody(
        described({
          chapter: 'mail',
          id: 'changeMailList',
          title: 'Change a mailing list',
          description:
            'What is not given stays. Who is in it already does not have to confirm it when `confirm` is turned on, and who has not confirmed still has to when it is turned off.',
          pathId: pathOfMailList,
          answer: mailListAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        changes,
      ),
      async (request) => {
        const id = pathId(request.params.id, 'mailing list');
        return showMailList(await lists.change(accountOf(request).id, id, read(changes, request.body)));
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.get(
        '/mail/lists',
        described({
          chapter: 'mail',
          id: 'listMailLists',
          title: 'Mailing lists with their counts',
          description: 'The lists in the order of their ids, without their users.',
          query: page,
          answer: z.object({ lists: z.array(mailListAnswer) }),
        }),
        async (request) => {
          const { after, limit } = read(page, request.query);
          return { lists: (await lists.list(accountOf(request).id, after, limit)).map(showMailList) };
        },
      );

      bodiless.get<WithId>(
        '/mail/lists/:id',
        described({
          chapter: 'mail',
          id: 'showMailList',
          title: 'A mailing list with its counts',
          description: 'One list, without its users.',
          pathId: pathOfMailList,
          answer: mailListAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request) =>
          showMailList(await lists.get(accountOf(request).id, pathId(request.params.id, 'mailing list'))),
      );

      bodiless.post<WithId>(
        '/mail/lists/:id/empty',
        described({
          chapter: 'mail',
          id: 'emptyMailList',
          title: 'Empty a mailing list',
          description:
            'It has no users at once. Users who are in no other list are deleted in the background; who asked for removal or has a wrong address is remembered as that.',
          pathId: pathOfMailList,
          answer: doneAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request) => {
          await lists.empty(accountOf(request).id, [pathId(request.params.id, 'mailing list')]);
          return done;
        },
      );

      bodiless.delete<WithId>(
        '/mail/lists/:id',
        described({
          chapter: 'mail',
          id: 'removeMailList',
          title: 'Remove a mailing list',
          description: 'It is gone at once, and its users as when it is emptied.',
          pathId: pathOfMailList,
          answer: doneAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request) => {
          await lists.remove(accountOf(request).id, pathId(request.params.id, 'mailing list'));
          return done;
        },
      );

      bodiless.get<WithId>(
        '/mail/lists/:id/export',
        described({
          chapter: 'mail',
          id: 'exportMailList',
          title: 'Export a mailing list at once',
          description: 'All its users with their status as CSV, streamed.',
          pathId: pathOfMailList,
          answer: exported,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request, reply) => {
          const id = pathId(request.params.id, 'mailing list');
          return sendCsv(
            request,
            reply,
            `mailing-list-${id}.csv`,
            await exports.stream(accountOf(request).id, id),
          );
        },
      );

      bodiless.post<WithId>(
        '/mail/lists/:id/export',
        described({
          chapter: 'mail',
          id: 'startMailExport',
          title: 'Export a mailing list in the background',
          description:
            'Goes on by itself, over restarts too; `/v1/exports/{id}` tells how far it is, and has the file for a week.',
          pathId: pathOfMailList,
          answer: exportAnswer,
          status: 202,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request, reply) => {
          const id = pathId(request.params.id, 'mailing list');
          const { session, tokenId } = callerOf(request);
          const by = { person: session?.person, tokenId };
          const job = await exports.start(accountOf(request).id, id, by);
          return reply.code(202).send(showExport(job));
        },
      );
    });

    app.register(async (uploads) => {
      takeBodies(uploads, (body) => body);
      const about = described({
        chapter: 'mail',
        id: 'importMailUsers',
        title: 'Import a CSV file into a mailing list',
        description:
          'The body is the file. It is imported in the background, over restarts too; `/v1/imports/{id}` tells how far it is. The column that is named like one is the address, otherwise the first; first name, last name and phone are known by their names, and each other column is a field under its own. `columns` chooses otherwise. Users who are known keep what is not in the file.',
        pathId: pathOfMailList,
        query: importQuery,
        file: {
          description: 'UTF-8, with commas, semicolons or tabs; `Content-Type` does not matter.',
          example: 'email,first name,city\r\ndana@example.com,Dana,Haifa\r\n',
        },
        answer: importAnswer,
        status: 202,
        refusals: ['not-found', 'unknown-list', 'too-large', 'not-now'],
      });
      uploads.post<WithId>('/mail/lists/:id/import', about, async (request, reply) => {
        const id = pathId(request.params.id, 'mailing list');
        const { header, columns } = read(importQuery, request.query);
        checkLength(request);
        const file = readFile(request.body as Readable | undefined);
        const { id: accountId } = accountOf(request);
        const show = (job: CsvJob) => showImport(job, []);
        const call = { accountId, content: { header, columns }, hasStream: true };
        const answer = await once(request, reply, call, async (use) => {
          const read = use ? digested(file, (digest) => use.complete(digest)) : file;
          const sendKey = use?.answering(show);
          return show(await imports.receive(accountId, id, read, { header, columns, sendKey }));
        });
        return reply.code(202).send(answer);
      });
    });
  };
}

/** The pieces of a file; after the last one `told` gets its SHA-256. */
async function* digested(file: AsyncIterable<Buffer>, told: (digest: Buffer) => void) {
  const hash = createHash('sha256');
  for await (const piece of file) {
    hash.update(piece);
    yield piece;
  }
  told(hash.digest());
}

/** A list as callers see it. */
export function showMailList(list: MailList): z.output<typeof mailListAnswer> {
  return {
    id: String(list.id),
    name: list.name,
    description: list.description,
    confirm: list.confirm,
    track: list.track,
    columns: [...list.columns],
    users: list.userCount,
    active: list.activeCount,
    created_at: new Date(list.createdAt).toISOString(),
  };
}
