import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type Blacklist, type BlacklistEntry, readEntries } from '../../audience/blacklist.ts';
import type { Imports } from '../../audience/imports.ts';
import type { Clock } from '../../clock.ts';
import { displayNumber, type NumberReader } from '../../numbers/numbers.ts';
import { type CsvChunk, writeCsv } from '../../text/csv.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { takeBodies } from './bodies.ts';
import {
  checkLength,
  csvFile,
  headerChoice,
  importAnswer,
  readFile,
  sendCsv,
  showImport,
} from './csv-answers.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { iso, isoTime, next } from './fields.ts';
import { withBody } from './json-body.ts';
import { prefixOf } from './phone-prefix.ts';

const ROWS_MOST = 500;
const PHONES_MOST = 10_000;
const REASON_MOST = 500;

const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  phone: z
    .string()
    .max(30, 'over 30 characters')
    .default('')
    .describe('A number, in any spelling, or its first digits: what begins with it.'),
});
const importQuery = z.object({ header: headerChoice });

const entryAnswer = z.object({
  phone: answered(z.string(), 'The number.', '0501234567'),
  since: isoTime('When it was put there'),
});
const errors = answered(z.array(z.string()), 'What could not be read.', []);
const phones = z
  .array(z.string('must be a text'), 'must be a list')
  .min(1, 'missing')
  .max(PHONES_MOST, `more than ${PHONES_MOST} entries`)
  .meta({ description: 'Numbers in any spelling.', examples: [['0501234567']] });
const toAdd = z.object({ phones });
const toRemove = z.object({
  phones,
  reason: z
    .string('must be a text')
    .trim()
    .min(1, 'missing')
    .max(REASON_MOST, `over ${REASON_MOST} characters`)
    .meta({ description: 'Why; kept with the account.', examples: ['asked by telephone'] }),
});

/**
 * The blacklist under /v1, a part of the door:
 * - `GET /blacklist?after=&limit=&phone=`: its numbers, in their order
 * - `POST /blacklist`, `POST /blacklist/remove`: puts numbers there, takes them off with a reason
 * - `POST /blacklist/import?header=`, the body is a CSV file: an import, to be followed at /v1/imports
 * - `GET /blacklist/export`: all of it as CSV
 */
export function blacklistPart(parts: {
  readonly blacklist: Blacklist;
  readonly imports: Imports;
  readonly numbers: NumberReader;
  readonly clock: Clock;
}): V1Part {
  const { blacklist, imports, numbers, clock } = parts;

  return (app, accountOf) => {
    app.get(
      '/blacklist',
      described({
        chapter: 'blacklist',
        id: 'listBlacklist',
        title: 'Numbers on the blacklist, page by page',
        description: 'In the order of the numbers, or those that begin with what is looked for.',
        query: page,
        answer: z.object({ numbers: z.array(entryAnswer), next }),
      }),
      async (request) => {
        const { after, limit, phone } = read(page, request.query);
        const found = await blacklist.page(accountOf(request).id, after, limit + 1, prefixOf(phone, numbers));
        const rows = found.slice(0, limit);
        return {
          numbers: rows.map((row) => ({ phone: displayNumber(row.phone), since: iso(row.at) })),
          next: found.length > limit ? rows.at(-1)!.phone : null,
        };
      },
    );

    app.post(
      '/blacklist',
      withBody(
        described({
          chapter: 'blacklist',
          id: 'addToBlacklist',
          title: 'Put numbers on the blacklist, by /v1',
          description:
            'Messages to them are not sent and not charged. Numbers that cannot be read are told of.',
          answer: z.object({
            added: answered(z.int(), 'How many were put there.', 1),
            present: answered(z.int(), 'How many were there already.', 0),
            errors,
          }),
          refusals: ['bad-blacklist-entry'],
        }),
        toAdd,
      ),
      async (request) => {
        const given = read(toAdd, request.body);
        const { digits, errors } = await readEntries(given.phones, numbers, (index) => `phones[${index}]`);
        const added = await blacklist.add(accountOf(request).id, digits);
        return { added: added.length, present: digits.length - added.length, errors };
      },
    );

    app.post(
      '/blacklist/remove',
      withBody(
        described({
          chapter: 'blacklist',
          id: 'removeFromBlacklist',
          title: 'Take numbers off the blacklist, by /v1',
          description: 'The reason is kept with the account.',
          answer: z.object({
            removed: answered(z.int(), 'How many were taken off.', 1),
            absent: answered(z.int(), 'How many were not there.', 0),
            errors,
          }),
          refusals: ['bad-blacklist-entry'],
        }),
        toRemove,
      ),
      async (request) => {
        const given = read(toRemove, request.body);
        const { digits, errors } = await readEntries(given.phones, numbers, (index) => `phones[${index}]`);
        const removed = await blacklist.remove(accountOf(request).id, digits, given.reason);
        return { removed: removed.length, absent: digits.length - removed.length, errors };
      },
    );

    app.get(
      '/blacklist/export',
      described({
        chapter: 'blacklist',
        id: 'exportBlacklist',
        title: 'Export the blacklist',
        description: 'All of it as CSV, streamed, in the order in which numbers were put there.',
        answer: 'phone,since\r\n0501234567,2026-03-24T07:31:00.000Z\r\n',
      }),
      async (request, reply) => {
        const pages = blacklist.between(accountOf(request).id, 0, clock.now());
        return sendCsv(request, reply, 'blacklist.csv', writeEntries(pages));
      },
    );

    app.register(async (uploads) => {
      takeBodies(uploads, (body) => body);
      uploads.post(
        '/blacklist/import',
        described({
          chapter: 'blacklist',
          id: 'importBlacklist',
          title: 'Import a CSV file into the blacklist',
          description:
            'The body is the file. It is imported in the background; `/v1/imports/{id}` tells how far it is. The column that is named like one is the phone, otherwise the first that has numbers; other columns are passed over.',
          query: importQuery,
          file: csvFile,
          answer: importAnswer,
          status: 202,
          refusals: ['too-large', 'not-now'],
        }),
        async (request, reply) => {
          const { header } = read(importQuery, request.query);
          checkLength(request);
          const file = readFile(request.body as Readable | undefined);
          const job = await imports.receiveForBlacklist(accountOf(request).id, file, header);
          return reply.code(202).send(showImport(job, []));
        },
      );
    });
  };
}

/** The blacklist as a CSV file. */
async function* writeEntries(pages: AsyncIterable<readonly BlacklistEntry[]>): AsyncGenerator<CsvChunk> {
  yield { data: writeCsv([['phone', 'since']], true), rows: 0 };
  for await (const entries of pages) {
    const rows = entries.map(({ phone, at }) => [displayNumber(phone), iso(at)]);
    yield { data: writeCsv(rows, false), rows: rows.length };
  }
}
