import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_FILE, tooLarge } from '../../../audience/csv-intake.ts';
import type { CsvChunk } from '../../../text/csv.ts';
import { BodyAborted } from '../../bodies/read-body.ts';
import { exportNoteOf } from '../audited.ts';

/* Files that are uploaded and downloaded. */

/** A CSV file that is sent as it is made. */
export interface CsvFile {
  readonly name: string;
  readonly content: AsyncIterable<CsvChunk>;
}

export const csvFile = (name: string, content: CsvFile['content']): CsvFile => ({ name, content });

/** Throws Refusal `too-large` for an upload whose length is known to be too large, before its client sends it. */
export function checkLength(request: FastifyRequest): void {
  if (Number(request.headers['content-length']) > MAX_FILE) throw tooLarge();
}

/** An uploaded file, piece by piece. Throws BodyAborted when it breaks off. */
export async function* fileOf(request: FastifyRequest): AsyncGenerator<Buffer> {
  const body = (request.body as Readable | undefined) ?? Readable.from([]);
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new BodyAborted();
  } finally {
    // The rest of a file that is refused half-way: the caller is to be told why, and may have another request.
    body.resume();
  }
}

/** An uploaded file that was read at once. */
export const bytesOf = (request: FastifyRequest): Buffer =>
  (request.body as Buffer | undefined) ?? Buffer.alloc(0);

/** Sends a CSV file as it is made. How many rows were sent is in the audit log before the answer ends. */
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

/** The data of a file. `note` is called once at its end, also where it breaks off or the client leaves. */
async function* audited(
  file: AsyncIterable<CsvChunk>,
  note: (rows: number, complete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let sent = 0;
  let complete = false;
  try {
    for await (const { data, rows } of file) {
      // A chunk that was yielded may have been sent, also when no further one is asked for.
      sent += rows;
      yield data;
    }
    complete = true;
  } finally {
    await note(sent, complete);
  }
}
