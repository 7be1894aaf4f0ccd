import type { Account } from '../../accounts/accounts.ts';
import type { CsvJob, CsvJobKind, CsvJobs } from '../../audience/csv-jobs.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';
import type { Exports } from '../../audience/exports.ts';
import { Refusal } from '../../errors.ts';
import { sendCsv, showExport, showImport, writeRefused } from './csv-answers.ts';
import { pathId, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';

/** Refused rows in the answer about an import; all of them are at `/v1/imports/:id/refused`. */
const REFUSED_SHOWN = 100;

type WithId = { Params: { id: string } };

/**
 * Imports and exports of contact lists under /v1, a part of the door:
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
    app.get<WithId>('/imports/:id', async (request) => {
      const job = await find('import', accountOf(request), request.params.id);
      return showImport(job, await firstRefused(job));
    });

    app.post<WithId>('/imports/:id/stop', async (request) => {
      const id = pathId(request.params.id, 'import');
      const job = there(await csvJobs.stop(accountOf(request).id, 'import', id), 'import');
      return showImport(job, await firstRefused(job));
    });

    app.get<WithId>('/imports/:id/refused', async (request, reply) => {
      const job = await find('import', accountOf(request), request.params.id);
      return sendCsv(reply, `refused-${job.id}.csv`, writeRefused(csvJobs.refusals(job)));
    });

    app.get<WithId>('/exports/:id', async (request) =>
      showExport(await find('export', accountOf(request), request.params.id)),
    );

    app.post<WithId>('/exports/:id/stop', async (request) => {
      const id = pathId(request.params.id, 'export');
      return showExport(there(await csvJobs.stop(accountOf(request).id, 'export', id), 'export'));
    });

    app.get<WithId>('/exports/:id/file', async (request, reply) => {
      const job = await find('export', accountOf(request), request.params.id);
      if (job.state !== 'done') throw new Refusal('not-now', `the export is ${job.state}, not done`);
      return sendCsv(reply, `contacts-${job.list_id}.csv`, exports.file(job));
    });
  };
}

function there(job: CsvJob | undefined, kind: CsvJobKind): CsvJob {
  if (!job) throw new NotFound(`no such ${kind}`);
  return job;
}
