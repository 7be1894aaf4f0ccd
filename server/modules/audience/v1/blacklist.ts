import { z } from 'zod';
import { changes, dailyWork, exports, reads } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { csvUpload, headerChoice, importAnswer, showImport } from '../../../api/v1/csv-fields.ts';
import {
  afterDigits,
  field,
  pageAnswer,
  pageLimit,
  pageOf,
  queryText,
  readPage,
  requiredText,
  text,
} from '../../../api/v1/kit/fields.ts';
import { csvFile } from '../../../api/v1/kit/files.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { csvOf } from '../../../kit/text/csv.ts';
import type { CoreContext } from '../../../run/services.ts';
import { type BlacklistEntry, readEntries } from '../blacklist.ts';
import { readPart } from '../number-part.ts';

const MAX_ROWS = 500;
const MAX_PHONES = 10_000;
const MAX_REASON = 500;

const numbersPage = z.object({
  after: afterDigits,
  limit: pageLimit(MAX_ROWS),
  phone: queryText(30).default('').describe('Number in any spelling, or some of its digits, to filter by.'),
});
const importQuery = z.object({ header: headerChoice });

const entryAnswer = z.object({
  phone: out.phone('Number.', '0501234567'),
  since: out.time('Time of the entry'),
});
const showEntry = serializer(entryAnswer, ({ at }: BlacklistEntry) => ({ since: iso(at) }));
const errors = out.texts('Numbers that could not be read.', []);
const phones = field(
  z.array(text, 'must be a list').min(1, 'missing').max(MAX_PHONES, `more than ${MAX_PHONES} entries`),
  'Numbers in any spelling.',
  ['0501234567'],
);
const toAdd = z.object({ phones });
const toRemove = z.object({
  phones,
  reason: field(requiredText(MAX_REASON), 'Reason, stored with the entry.', 'asked by telephone'),
});

type BlacklistDeps = Pick<CoreContext, 'clock' | 'blacklist' | 'imports' | 'numbers'>;

const route = resource<BlacklistDeps>('blacklist');

/** The blacklist: its numbers, imports and export. */
export const blacklistRoutes = [
  route('GET /v1/blacklist', {
    access: reads('viewer', 'contacts'),
    operationId: 'listBlacklist',
    title: 'List the blacklist',
    description:
      'Lists the blacklist in the order of the numbers, optionally filtered by a part of the number.',
    query: numbersPage,
    answer: pageAnswer('numbers', entryAnswer),
    handler: async ({ accountId, query: { after, limit, phone } }, { blacklist, numbers }) => {
      const part = readPart(phone, numbers);
      return pageOf(
        'numbers',
        showEntry,
        readPage(
          limit,
          (most) => blacklist.page(accountId, after, most, part),
          (row) => row.phone,
        ),
      );
    },
  }),
  route('POST /v1/blacklist', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'addToBlacklist',
    title: 'Add numbers to the blacklist',
    description:
      'Adds numbers to the blacklist. Messages to them are not sent and not charged. Invalid numbers are listed in the response.',
    refusals: ['bad-blacklist-entry'],
    body: toAdd,
    answer: z.object({
      added: out.count('Number of added entries.', 1),
      present: out.count('Numbers that were on the blacklist already.', 0),
      errors,
    }),
    handler: async ({ accountId, body: given }, { blacklist, numbers }) => {
      const { digits, errors } = await readEntries(given.phones, numbers, (index) => `phones[${index}]`);
      const added = await blacklist.add(accountId, digits);
      return { added: added.length, present: digits.length - added.length, errors };
    },
  }),
  route('POST /v1/blacklist/remove', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'removeFromBlacklist',
    title: 'Remove numbers from the blacklist',
    description: 'Removes numbers from the blacklist and stores the reason.',
    refusals: ['bad-blacklist-entry'],
    body: toRemove,
    answer: z.object({
      removed: out.count('Number of removed entries.', 1),
      absent: out.count('Numbers that were not on the blacklist.', 0),
      errors,
    }),
    handler: async ({ accountId, body: given }, { blacklist, numbers }) => {
      const { digits, errors } = await readEntries(given.phones, numbers, (index) => `phones[${index}]`);
      const removed = await blacklist.remove(accountId, digits, given.reason);
      return { removed: removed.length, absent: digits.length - removed.length, errors };
    },
  }),
  route('GET /v1/blacklist/export', {
    access: exports('sender', 'contacts'),
    operationId: 'exportBlacklist',
    title: 'Export the blacklist',
    description: 'Streams the whole blacklist as CSV, in the order of creation.',
    answer: { csv: 'phone,since\r\n0501234567,2026-03-24T07:31:00.000Z\r\n' },
    handler: async ({ accountId }, { blacklist, clock }) => {
      const pages = blacklist.between(accountId, 0, clock.now());
      const cells = ({ phone, at }: BlacklistEntry) => [displayNumber(phone), iso(at)];
      return csvFile('blacklist.csv', csvOf(['phone', 'since'], pages, cells));
    },
  }),
  route('POST /v1/blacklist/import', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'importBlacklist',
    title: 'Import a CSV file into the blacklist',
    description:
      'Imports the file in the request body in the background; `/v1/imports/{id}` has its progress. The column with a name like `phone` has the numbers, otherwise the first column with numbers; other columns are ignored.',
    refusals: ['not-now', 'over-budget'],
    query: importQuery,
    file: csvUpload,
    answer: importAnswer,
    status: 202,
    handler: async ({ accountId, query: { header }, file }, { imports }) =>
      showImport(await imports.receiveForBlacklist(accountId, file, header), []),
  }),
];
