import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CsvChunk } from '../../../kit/text/csv.ts';
import { MAX_FILE, tooLarge } from '../../../modules/audience/csv-intake.ts';
import { BodyAborted } from '../../bodies/read-body.ts';
import { exportNoteOf } from '../audited.ts';

/* Uploads and downloads of files. */

/** A CSV file that is streamed while it is created. */
export interface CsvFile {
  readonly name: string;
  readonly content: AsyncIterable<CsvChunk>;
}

export const csvFile = (name: string, content: CsvFile['content']): CsvFile => ({ name, content });

/** Returns the bytes that an upload announces (`Content-Length`); undefined without the header. */
export function announcedSize({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Throws Refusal `too-large` for an upload with a too large Content-Length, before its client sends it. */
export function checkLength(request: FastifyRequest): void {
  if ((announcedSize(request) ?? 0) > MAX_FILE) throw tooLarge();
}

/** Yields an uploaded file, piece by piece. Throws BodyAborted if it breaks off. */
export async function* fileOf(request: FastifyRequest): AsyncGenerator<Buffer> {
  const body = (request.body as Readable | undefined) ?? Readable.from([]);
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new BodyAborted();
  } finally {
    // Discards the rest of a file that is refused half-way, so that the client reads the reason and can reuse the
    // connection.
    body.resume();
  }
}

/** An uploaded file in memory. */
export const bytesOf = (request: FastifyRequest): Buffer =>
  (request.body as Buffer | undefined) ?? Buffer.alloc(0);

/** Streams a CSV file while it is created. The audit log has the number of sent rows before the response ends. */
export function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, content }: CsvFile,
): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(audited(content, exportNoteOf(request)), { objectMode: false }));
}

/** Yields the data of a file. Calls `note` once at the end, also if it breaks off or the client disconnects. */
async function* audited(
  file: AsyncIterable<CsvChunk>,
  note: (rows: number, complete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let sent = 0;
  let complete = false;
  try {
    for await (const { data, rows } of file) {
      // A yielded chunk may have been sent even if no further one is requested.
      sent += rows;
      yield data;
    }
    complete = true;
  } finally {
    await note(sent, complete);
  }
}
