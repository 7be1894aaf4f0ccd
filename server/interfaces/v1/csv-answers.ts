import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { CsvJob, CsvJobState } from '../../audience/csv-jobs.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';
import { answered } from '../openapi/shown.ts';

const states = [
  'receiving',
  'waiting',
  'running',
  'done',
  'stopped',
  'failed',
] as const satisfies CsvJobState[];
const time = z.string().nullable();

/** An export as it is described; `showExport` gives it. */
export const exportAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000004'),
  list_id: answered(z.string(), 'The contact list.', '1774337460000002'),
  state: answered(z.enum(states), 'How far it is.', 'running'),
  problem: answered(z.string().nullable(), 'Why it failed.', null),
  bytes: answered(z.int(), 'Size of the file.', 48_210),
  rows: answered(z.int(), 'Rows until now.', 700),
  created_at: answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z'),
  finished_at: answered(time, 'ISO 8601; null until then.', null),
});

/** An import as it is described; `showImport` gives it. */
export const importAnswer = exportAnswer.extend({
  bytes_done: answered(z.int(), 'How much of the file has been read.', 28_160),
  added: answered(z.int(), 'Numbers that were added.', 650),
  present: answered(z.int(), 'Numbers that were in the list already.', 49),
  refused: answered(z.int(), 'Rows that could not be used.', 1),
  refused_rows: z
    .array(
      z.object({
        line: answered(z.int(), 'Line of the file, the first is 1.', 17),
        reason: answered(
          z.string(),
          'What is wrong with it.',
          'phone: too short, too long or not a phone number',
        ),
      }),
    )
    .describe('The first of them; `/v1/imports/{id}/refused` has all.'),
});

/** An exported file, as an example. */
export const exportedFile = 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n';

/** Sends a CSV file as it is made. */
export function sendCsv(reply: FastifyReply, name: string, file: AsyncIterable<Buffer>): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(file, { objectMode: false }));
}

/** An import as callers see it, with the first of its refused rows. */
export function showImport(job: CsvJob, refused: RefusedRow[]): z.output<typeof importAnswer> {
  return {
    ...showExport(job),
    bytes_done: job.state === 'done' ? job.bytes : job.position,
    added: job.added,
    present: job.present,
    refused: job.refused,
    refused_rows: refused,
  };
}

/** An export as callers see it. */
export function showExport(job: CsvJob): z.output<typeof exportAnswer> {
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
