import { z } from 'zod';
import { type CsvJob, type CsvJobState, FOR_BLACKLIST } from '../../audience/csv-jobs.ts';
import type { ColumnTarget } from '../../audience/csv-layout.ts';
import type { ListExports } from '../../audience/csv-outlet.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';
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

/** Whether the first row of a file has names, in a query. */
export const headerChoice = z
  .enum(['auto', 'yes', 'no'], 'must be auto, yes or no')
  .default('auto')
  .describe('Whether the first row has the names of the columns; `auto` looks for itself.');

/** What the columns of a file are, in a query; undefined: by their names. */
export const columnChoice = z
  .string()
  .regex(/^(phone|[1-6])?(,(phone|[1-6])?){0,199}$/i, 'must be like phone,1,,2')
  .transform((text) =>
    text.split(',').map((target): ColumnTarget => (/^phone$/i.test(target) ? 'phone' : Number(target))),
  )
  .optional()
  .describe(
    'What the columns of the file are, in their order: `phone`, the number of a dynamic field, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names.',
  );

/** A file that is uploaded, as it is described. */
export const csvUpload = {
  description: 'UTF-8, with commas, semicolons or tabs; `Content-Type` does not matter.',
  example: 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n',
};

/** An export as it is described. */
export const exportAnswer = z.object({
  id: out.id('Its id.', '1774337460000004'),
  list_id: out.maybeText('The contact list, or the mailing list; null: the blacklist.', '1774337460000002'),
  state: out.oneOf(states, 'Its state.', 'running'),
  problem: out.maybeText('Why it failed.', null),
  bytes: out.count('Size of the file.', 48_210),
  rows: out.count('Rows until now.', 700),
  created_at: out.instant('ISO 8601.'),
  finished_at: out.maybeInstant('ISO 8601; null until then.', null),
});

/** An import as it is described. */
export const importAnswer = exportAnswer.extend({
  bytes_done: out.count('How much of the file has been read.', 28_160),
  added: out.count('Numbers, or users, that were added.', 650),
  present: out.count('Those that were in the list already.', 49),
  refused: out.count('Rows that could not be used.', 1),
  consents: out.count('Consents that were recorded.', 0),
  refused_rows: z
    .array(
      z.object({
        line: out.count('Line of the file, the first is 1.', 17),
        reason: out.text('What is wrong with it.', 'phone: too short, too long or not a phone number'),
      }),
    )
    .describe('The first of them; `/v1/imports/{id}/refused` has all.'),
});

/** An exported file, as an example. */
export const exportedFile = 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n';

const listOf = ({ list_id: id }: CsvJob) => (id === FOR_BLACKLIST ? null : String(id));

/** Shows an export. */
export const showExport = serializer(exportAnswer, (job: CsvJob) => ({ list_id: listOf(job) }));

const showImported = serializer(importAnswer, (job: CsvJob) => ({
  list_id: listOf(job),
  bytes_done: job.state === 'done' ? job.bytes : job.position,
}));

/** Shows an import, with the first of its refused rows. */
export const showImport = (job: CsvJob, refused_rows: RefusedRow[]) => showImported({ ...job, refused_rows });

const MAX_PAGE = 500;

/** The query of a list of lists. */
export const listsPage = z.object({
  after: z
    .string()
    .regex(/^\d{0,15}$/, 'must be the id of a list')
    .default('')
    .transform(Number)
    .describe('The `id` of the last list of the page before.'),
  limit: pageLimit(MAX_PAGE),
  search: nameSearch,
});

/** What exports lists of one kind. */
interface ExportDeps {
  readonly exports: Pick<ListExports<unknown>, 'stream' | 'start'>;
}

/** Lists of one kind as the routes that export them name them. */
interface ExportedLists {
  readonly chapter: Chapter;
  /** `/contact-lists` */
  readonly path: string;
  readonly noun: string;
  readonly id: PathId<number>;
  /** Ids of the operations. */
  readonly ids: { readonly export: string; readonly start: string };
  /** What the file has, and an example. */
  readonly description: string;
  readonly example: string;
  /** What the name of the file begins with. */
  readonly file: string;
}

/** The routes that export a list at once, and in the background. */
export function exportRoutes({ chapter, path, noun, id, ids, ...of }: ExportedLists): Route<ExportDeps>[] {
  const route = resource<ExportDeps>(chapter);
  return [
    route(`GET /v1${path}/:id/export`, {
      operationId: ids.export,
      title: `Export a ${noun}`,
      description: of.description,
      id,
      answer: { csv: of.example },
      handler: async (call, { exports }) =>
        csvFile(`${of.file}-${call.id}.csv`, await exports.stream(call.accountId, call.id)),
    }),
    route(`POST /v1${path}/:id/export`, {
      operationId: ids.start,
      title: `Start an export of a ${noun}`,
      description:
        'Runs in the background and survives restarts. `/v1/exports/{id}` has its progress, and the file for a week.',
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
