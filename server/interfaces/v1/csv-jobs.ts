import { z } from 'zod';
import type { Account } from '../../accounts/accounts.ts';
import type { CsvJob, CsvJobKind, CsvJobs } from '../../audience/csv-jobs.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';
import type { Exports } from '../../audience/exports.ts';
import { Refusal } from '../../errors.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import {
  exportAnswer,
  exportedFile,
  importAnswer,
  sendCsv,
  showExport,
  showImport,
  writeRefused,
} from './csv-answers.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';

/** Refused rows in the answer about an import; all of them are at `/v1/imports/:id/refused`. */
const REFUSED_SHOWN = 100;

const IMPORTS_MOST = 100;

const recent = z.object({
  list_id: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a list, or 0')
    .optional()
    .describe('Of this contact list alone; 0: of the blacklist.'),
  limit: pageLimit(IMPORTS_MOST).describe('Imports at most.'),
});
const pathOfImport = 'The id of the import.';
const pathOfExport = 'The id of the export.';

type WithId = { Params: { id: string } };

/**
 * Imports and exports of contact lists and mailing lists under /v1, a part of the door:
 * - `GET /imports?list_id=&limit=`: those of the last week
 * - `GET /imports/:id`, `GET /exports/:id`: how far it is
 * - `POST /imports/:id/stop`, `POST /exports/:id/stop`: ends it where it stands
 * - `GET /imports/:id/refused`: every row that could not be used, as CSV
 * - `GET /exports/:id/file`: the file, once it is done
 */
export function csvJobsPart(parts: { readonly csvJobs: CsvJobs; readonly exports: Exports }): V1Part {
  const { csvJobs, exports } = parts;

  async function find(kind: CsvJobKind, account: Account, id: string): Promise<CsvJob> {
    return there(await csvJobs.find(account.id, kind, pathId(id, kind)), kind);
  }

  async function firstRefused(job: CsvJob): Promise<RefusedRow[]> {
    const rows: RefusedRow[] = [];
    for await (const some of csvJobs.refusals(job)) {
      rows.push(...some.slice(0, REFUSED_SHOWN - rows.length));
      if (rows.length === REFUSED_SHOWN) break;
    }
    return rows;
  }

  return (app, accountOf) => {
    takeBodies(app, passOver);

    app.get(
      '/imports',
      described({
        chapter: 'contacts',
        id: 'listImports',
        title: 'Imports of the last week',
        description: 'The newest first, without their refused rows.',
        query: recent,
        answer: z.object({ imports: z.array(importAnswer.omit({ refused_rows: true })) }),
      }),
      async (request) => {
        const { list_id: listId, limit } = read(recent, request.query);
        const list = listId === undefined ? undefined : Number(listId);
        const jobs = await csvJobs.recent(accountOf(request).id, 'import', list, limit);
        return {
          imports: jobs.map((job) => {
            const { refused_rows: none, ...shown } = showImport(job, []);
            return shown;
          }),
        };
      },
    );

    app.get<WithId>(
      '/imports/:id',
      described({
        chapter: 'contacts',
        id: 'showImport',
        title: 'How far an import is',
        description: 'Counts until now, and the first rows that could not be used.',
        pathId: pathOfImport,
        answer: importAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const job = await find('import', accountOf(request), request.params.id);
        return showImport(job, await firstRefused(job));
      },
    );

    app.post<WithId>(
      '/imports/:id/stop',
      described({
        chapter: 'contacts',
        id: 'stopImport',
        title: 'Stop an import',
        description: 'Ends it where it stands; what was imported stays.',
        pathId: pathOfImport,
        answer: importAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const id = pathId(request.params.id, 'import');
        const job = there(await csvJobs.stop(accountOf(request).id, 'import', id), 'import');
        return showImport(job, await firstRefused(job));
      },
    );

    app.get<WithId>(
      '/imports/:id/refused',
      described({
        chapter: 'contacts',
        id: 'listRefusedRows',
        title: 'Rows that an import could not use',
        description: 'All of them, as CSV.',
        pathId: pathOfImport,
        answer: 'line,reason\r\n17,"phone: too short, too long or not a phone number"\r\n',
        refusals: ['not-found'],
      }),
      async (request, reply) => {
        const job = await find('import', accountOf(request), request.params.id);
        return sendCsv(request, reply, `refused-${job.id}.csv`, writeRefused(csvJobs.refusals(job)));
      },
    );

    app.get<WithId>(
      '/exports/:id',
      described({
        chapter: 'contacts',
        id: 'showExport',
        title: 'How far an export is',
        description: 'Counts until now.',
        pathId: pathOfExport,
        answer: exportAnswer,
        refusals: ['not-found'],
      }),
      async (request) => showExport(await find('export', accountOf(request), request.params.id)),
    );

    app.post<WithId>(
      '/exports/:id/stop',
      described({
        chapter: 'contacts',
        id: 'stopExport',
        title: 'Stop an export',
        description: 'Ends it where it stands; there is no file then.',
        pathId: pathOfExport,
        answer: exportAnswer,
        refusals: ['not-found'],
      }),
      async (request) => {
        const id = pathId(request.params.id, 'export');
        return showExport(there(await csvJobs.stop(accountOf(request).id, 'export', id), 'export'));
      },
    );

    app.get<WithId>(
      '/exports/:id/file',
      described({
        chapter: 'contacts',
        id: 'fetchExport',
        title: 'The file of an export',
        description: 'The CSV file, once the export is done, for a week.',
        pathId: pathOfExport,
        answer: exportedFile,
        refusals: ['not-found', 'not-now'],
      }),
      async (request, reply) => {
        const job = await find('export', accountOf(request), request.params.id);
        if (job.state !== 'done') throw new Refusal('not-now', `the export is ${job.state}, not done`);
        const name = job.audience === 'mail' ? 'mailing-list' : 'contacts';
        return sendCsv(request, reply, `${name}-${job.list_id}.csv`, exports.file(job));
      },
    );
  };
}

function there(job: CsvJob | undefined, kind: CsvJobKind): CsvJob {
  if (!job) throw new NotFound(`no such ${kind}`);
  return job;
}
