import { z } from 'zod';
import { changes, dailyWork, exports, reads } from '../../../api/access/rules.ts';
import {
  exportAnswer,
  exportedFile,
  importAnswer,
  showExport,
  showImport,
} from '../../../api/v1/csv-fields.ts';
import { found, idOf, pageLimit } from '../../../api/v1/kit/fields.ts';
import { csvFile } from '../../../api/v1/kit/files.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { Refusal } from '../../../kit/errors.ts';
import { csvOf } from '../../../kit/text/csv.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { CsvJob, CsvJobKind } from '../csv-jobs.ts';
import type { RefusedRow } from '../csv-refusals.ts';

/** Refused rows in the response about an import; `/v1/imports/:id/refused` returns all of them. */
const REFUSED_SHOWN = 100;

const MAX_IMPORTS = 100;

const recent = z.object({
  list_id: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a list, or 0')
    .optional()
    .describe('Filters by contact list; 0: the blacklist.'),
  limit: pageLimit(MAX_IMPORTS, 'Maximum imports per page.'),
});

type CsvJobsDeps = Pick<CoreContext, 'csvJobs'>;

const route = resource<CsvJobsDeps>('contacts');

/** Imports and exports of contact lists, mailing lists and the blacklist. */
export const csvJobRoutes = [
  route('GET /v1/imports', {
    access: reads('viewer', 'contacts'),
    operationId: 'listImports',
    title: 'List imports',
    description: 'Lists imports, newest first, without their rejected rows.',
    query: recent,
    answer: z.object({ imports: z.array(importAnswer.omit({ refused_rows: true })) }),
    handler: async ({ accountId, query: { list_id: listId, limit } }, { csvJobs }) => {
      const list = listId === undefined ? undefined : Number(listId);
      const jobs = await csvJobs.recent(accountId, 'import', list, limit);
      return {
        imports: jobs.map((job) => {
          const { refused_rows: none, ...shown } = showImport(job, []);
          return shown;
        }),
      };
    },
  }),
  route('GET /v1/imports/:id', {
    access: reads('viewer', 'contacts'),
    operationId: 'showImport',
    title: 'Show the progress of an import',
    description: 'Returns the counts so far, and the first rejected rows.',
    id: idOf('import'),
    answer: importAnswer,
    handler: async ({ accountId, id }, deps) => withRefused(deps, await find(deps, 'import', accountId, id)),
  }),
  route('POST /v1/imports/:id/stop', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'stopImport',
    title: 'Cancel an import',
    description: 'Stops the import; rows that were imported stay.',
    id: idOf('import'),
    answer: importAnswer,
    handler: async ({ accountId, id }, deps) =>
      withRefused(deps, found(await deps.csvJobs.stop(accountId, 'import', id), 'import')),
  }),
  route('GET /v1/imports/:id/refused', {
    access: exports('sender', 'contacts'),
    operationId: 'listRefusedRows',
    title: 'List rejected rows of an import',
    description: 'Returns all rejected rows as CSV.',
    id: idOf('import'),
    answer: { csv: 'line,reason\r\n17,"phone: too short, too long or not a phone number"\r\n' },
    handler: async ({ accountId, id }, deps) => {
      const job = await find(deps, 'import', accountId, id);
      const cells = ({ line, reason }: RefusedRow) => [line, reason];
      return csvFile(
        `refused-${job.id}.csv`,
        csvOf(['line', 'reason'], deps.csvJobs.refusals(job), cells, false),
      );
    },
  }),
  route('GET /v1/exports/:id', {
    access: reads('viewer', 'contacts'),
    operationId: 'showExport',
    title: 'Show the progress of an export',
    description: 'Returns the counts so far.',
    id: idOf('export'),
    answer: exportAnswer,
    handler: async ({ accountId, id }, deps) => showExport(await find(deps, 'export', accountId, id)),
  }),
  route('POST /v1/exports/:id/stop', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'stopExport',
    title: 'Cancel an export',
    description: 'Stops the export, without a file.',
    id: idOf('export'),
    answer: exportAnswer,
    handler: async ({ accountId, id }, { csvJobs }) =>
      showExport(found(await csvJobs.stop(accountId, 'export', id), 'export')),
  }),
  route('GET /v1/exports/:id/file', {
    access: exports('sender', 'contacts'),
    operationId: 'fetchExport',
    title: 'Download an export',
    description: 'Returns the CSV file of a finished export, for a week.',
    refusals: ['not-now'],
    id: idOf('export'),
    answer: { csv: exportedFile },
    handler: async ({ accountId, id }, deps) => {
      const job = await find(deps, 'export', accountId, id);
      if (job.state !== 'done')
        throw new Refusal('not-now', `the export is ${job.state}, not done`, undefined, {
          reason: 'export-not-done',
        });
      const name = job.audience === 'mail' ? 'mailing-list' : 'contacts';
      return csvFile(`${name}-${job.list_id}.csv`, deps.csvJobs.file(job));
    },
  }),
];

async function find(
  { csvJobs }: CsvJobsDeps,
  kind: CsvJobKind,
  accountId: number,
  id: number,
): Promise<CsvJob> {
  return found(await csvJobs.find(accountId, kind, id), kind);
}

/** Formats an import for responses, with its first refused rows. */
async function withRefused({ csvJobs }: CsvJobsDeps, job: CsvJob) {
  const rows: RefusedRow[] = [];
  for await (const some of csvJobs.refusals(job)) {
    rows.push(...some.slice(0, REFUSED_SHOWN - rows.length));
    if (rows.length === REFUSED_SHOWN) break;
  }
  return showImport(job, rows);
}
