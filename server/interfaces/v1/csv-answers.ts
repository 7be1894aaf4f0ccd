import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FILE_MOST, tooLarge } from '../../audience/csv-intake.ts';
import { type CsvJob, type CsvJobState, FOR_BLACKLIST } from '../../audience/csv-jobs.ts';
import type { ColumnTarget } from '../../audience/csv-layout.ts';
import type { RefusedRow } from '../../audience/csv-refusals.ts';
import { type CsvChunk, writeCsv } from '../../text/csv.ts';
import { BodyAborted } from '../bodies/read-body.ts';
import { answered } from '../openapi/shown.ts';
import { exportNoteOf } from './audited.ts';

const states = [
  'receiving',
  'waiting',
  'running',
  'done',
  'stopped',
  'failed',
] as const satisfies CsvJobState[];
const time = z.string().nullable();

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
export const csvFile = {
  description: 'UTF-8, with commas, semicolons or tabs; `Content-Type` does not matter.',
  example: 'phone,first name,town\r\n0501234567,Dana,Haifa\r\n',
};

/** Throws Refusal `too-large` for a file that says so, before the caller sends it for nothing. */
export function checkLength(request: FastifyRequest): void {
  if (Number(request.headers['content-length']) > FILE_MOST) throw tooLarge();
}

/** A body as it comes. Throws BodyAborted when it breaks off. */
export async function* readFile(body: Readable = Readable.from([])): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new BodyAborted();
  } finally {
    // The rest of a file that is refused half-way: the caller is to be told why, and may have another request.
    body.resume();
  }
}

/** An export as it is described; `showExport` gives it. */
export const exportAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000004'),
  list_id: answered(
    z.string().nullable(),
    'The contact list, or the mailing list; null: the blacklist.',
    '1774337460000002',
  ),
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
  added: answered(z.int(), 'Numbers, or users, that were added.', 650),
  present: answered(z.int(), 'Those that were in the list already.', 49),
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

/** Sends a CSV file as it is made. How many rows were sent is in the audit log before the answer ends. */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  file: AsyncIterable<CsvChunk>,
): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(audited(file, exportNoteOf(request)), { objectMode: false }));
}

/** The data of a file. `note` is called once at its end, also where it breaks off or the client leaves. */
async function* audited(
  file: AsyncIterable<CsvChunk>,
  note: (rows: number, complete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let sent = 0;
  let complete = false;
  try {
    for await (const { data, rows } of file) {
      // What has been handed over may have been read, also when nobody asks for more.
      sent += rows;
      yield data;
    }
    complete = true;
  } finally {
    await note(sent, complete);
  }
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
    list_id: job.list_id === FOR_BLACKLIST ? null : String(job.list_id),
    state: job.state,
    problem: job.problem,
    bytes: job.bytes,
    rows: job.rows,
    created_at: new Date(job.created_at).toISOString(),
    finished_at: job.finished_at === null ? null : new Date(job.finished_at).toISOString(),
  };
}

/** The rows that an import refused, as a CSV file. */
export async function* writeRefused(groups: AsyncIterable<readonly RefusedRow[]>): AsyncGenerator<CsvChunk> {
  yield { data: writeCsv([['line', 'reason']], false), rows: 0 };
  for await (const rows of groups) {
    const cells = rows.map(({ line, reason }) => [line, reason]);
    yield { data: writeCsv(cells, false), rows: rows.length };
  }
}
