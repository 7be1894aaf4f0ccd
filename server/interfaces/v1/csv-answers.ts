import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import type { CsvJob } from '../../audience/csv-jobs.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';

/** Sends a CSV file as it is made. */
export function sendCsv(reply: FastifyReply, name: string, file: AsyncIterable<Buffer>): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(file, { objectMode: false }));
}

/** An import as callers see it, with the first of its refused rows. */
export function showImport(job: CsvJob, refused: readonly RefusedRow[]) {
  return {
    ...common(job),
    bytes_done: job.state === 'done' ? job.bytes : job.position,
    added: job.added,
    present: job.present,
    refused: job.refused,
    refused_rows: refused,
  };
}

/** An export as callers see it. */
export function showExport(job: CsvJob) {
  return common(job);
}

function common(job: CsvJob) {
  return {
    id: String(job.id),
    list_id: String(job.list_id),
    state: job.state,
    problem: job.problem,
    bytes: job.bytes,
    rows: job.rows,
    created_at: new Date(job.created_at).toISOString(),
    finished_at: job.finished_at === null ? null : new Date(job.finished_at).toISOString(),
  };
}

/** The rows that an import refused, as a CSV file. */
export async function* writeRefused(groups: AsyncIterable<readonly RefusedRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from('line,reason\r\n');
  for await (const rows of groups) {
    yield Buffer.from(
      stringify(
        rows.map(({ line, reason }) => [line, reason]),
        { record_delimiter: '\r\n' },
      ),
    );
  }
}
