import { z } from 'zod';
import { type CsvJob, type CsvJobState, FOR_BLACKLIST } from '../../modules/audience/csv-jobs.ts';
import type { ColumnTarget, ExistingChoice } from '../../modules/audience/csv-layout.ts';
import type { ListExports } from '../../modules/audience/csv-outlet.ts';
import type { RefusedRow } from '../../modules/audience/csv-refusals.ts';
import { changes, exports, sendsNothing, withoutProof } from '../access/rules.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { out } from '../openapi/out.ts';
import { nameSearch, pageLimit } from './kit/fields.ts';
import { csvFile } from './kit/files.ts';
import { type PathId, type Route, resource } from './kit/route.ts';
import { serializer } from './kit/serializer.ts';

const states = [
  'receiving',
  'waiting',
  'running',
  'done',
  'stopped',
  'failed',
] as const satisfies CsvJobState[];

/** Whether the first row of a file contains names, in a query. */
export const headerChoice = z
  .enum(['auto', 'yes', 'no'], 'must be auto, yes or no')
  .default('auto')
  .describe('Whether the first row has the names of the columns; `auto` detects it.');

/** Meaning of a file's columns, in a query; undefined: by their names. */
export const columnChoice = z
  .string()
  .regex(/^(phone|[1-6])?(,(phone|[1-6])?){0,199}$/i, 'must be like phone,1,,2')
  .transform((text) =>
    text.split(',').map((target): ColumnTarget => (/^phone$/i.test(target) ? 'phone' : Number(target))),
  )
  .optional()
  .describe(
    'Columns of the file, in order: `phone`, the number of a dynamic field, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide.',
  );

/** Treatment of rows that are in the list already, in a query. */
export const existingChoice = (preset: ExistingChoice) =>
  z
    .enum(['keep', 'update'], 'must be keep or update')
    .default(preset)
    .describe(
      'For rows that are in the list already: `keep` changes nothing, `update` sets the fields for which the row has a value.',
    );

/** An uploaded file, for the documentation. */
export const csvUpload = {
  description: 'Body in UTF-8, with commas, semicolons or tabs; `Content-Type` is ignored.',
  example: 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n',
};

/** An export, for the documentation. */
export const exportAnswer = z.object({
  id: out.id('Id of the job.', '1774337460000004'),
  list_id: out.maybeText('Id of the contact list or mailing list; null: the blacklist.', '1774337460000002'),
  state: out.oneOf(states, 'State of the job.', 'running'),
  problem: out.maybeText('Reason of the failure.', null),
  bytes: out.count('Size of the file in bytes.', 48_210),
  rows: out.count('Rows so far.', 700),
  created_at: out.instant('Time of creation, ISO 8601.'),
  finished_at: out.maybeInstant('Time of the end, ISO 8601; null until then.', null),
});

/** An import, for the documentation. */
export const importAnswer = exportAnswer.extend({
  bytes_done: out.count('Bytes of the file that were read.', 28_160),
  added: out.count('Added numbers or users.', 650),
  present: out.count('Numbers or users that were in the list already.', 49),
  refused: out.count('Rows that could not be used.', 1),
  consents: out.count('Recorded consents.', 0),
  refused_rows: z
    .array(
      z.object({
        line: out.count('Line of the file, from 1.', 17),
        reason: out.text(
          'Reason why the row was rejected.',
          'phone: too short, too long or not a phone number',
        ),
      }),
    )
    .describe('First rejected rows; `/v1/imports/{id}/refused` has all of them.'),
});

/** Example of an exported file. */
export const exportedFile = 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n';

const listOf = ({ list_id: id }: CsvJob) => (id === FOR_BLACKLIST ? null : String(id));

/** Formats an export for responses. */
export const showExport = serializer(exportAnswer, (job: CsvJob) => ({ list_id: listOf(job) }));

const showImported = serializer(importAnswer, (job: CsvJob) => ({
  list_id: listOf(job),
  bytes_done: job.state === 'done' ? job.bytes : job.position,
}));

/** Formats an import for responses, with its first refused rows. */
export const showImport = (job: CsvJob, refused_rows: RefusedRow[]) => showImported({ ...job, refused_rows });

const MAX_PAGE = 500;

/** Query of a page of lists. */
export const listsPage = z.object({
  after: z
    .string()
    .regex(/^\d{0,15}$/, 'must be the id of a list')
    .default('')
    .transform(Number)
    .describe('`id` of the last list of the previous page.'),
  limit: pageLimit(MAX_PAGE),
  search: nameSearch,
});

/** Exports lists of one kind. */
interface ExportDeps {
  readonly exports: Pick<ListExports<unknown>, 'stream' | 'start'>;
}

/** Lists of one kind, with the names of their export routes. */
interface ExportedLists {
  readonly chapter: Chapter;
  /** `/contact-lists` */
  readonly path: string;
  readonly noun: string;
  readonly id: PathId<number>;
  /** Ids of the operations. */
  readonly ids: { readonly export: string; readonly start: string };
  /** Contents of the file, and an example. */
  readonly description: string;
  readonly example: string;
  /** Beginning of the file name. */
  readonly file: string;
}

/** Routes that export a list: streamed, and in the background. */
export function exportRoutes({ chapter, path, noun, id, ids, ...of }: ExportedLists): Route<ExportDeps>[] {
  const route = resource<ExportDeps>(chapter);
  return [
    route(`GET /v1${path}/:id/export`, {
      access: exports('sender', 'contacts'),
      operationId: ids.export,
      title: `Export a ${noun}`,
      description: of.description,
      id,
      answer: { csv: of.example },
      handler: async (call, { exports }) =>
        csvFile(`${of.file}-${call.id}.csv`, await exports.stream(call.accountId, call.id)),
    }),
    route(`POST /v1${path}/:id/export`, {
      access: sendsNothing(
        withoutProof(changes('sender', 'contacts'), 'makes a file whose download requires a proof'),
      ),
      operationId: ids.start,
      title: `Start an export of a ${noun}`,
      description:
        'Starts an export in the background; it survives restarts. `/v1/exports/{id}` has its progress, and the file for a week.',
      id,
      answer: exportAnswer,
      status: 202,
      handler: async (call, { exports }) => {
        const { session, tokenId } = call.caller;
        return showExport(await exports.start(call.accountId, call.id, { person: session?.person, tokenId }));
      },
    }),
  ];
}
