import { setImmediate } from 'node:timers/promises';
import { ROWS_A_STATEMENT } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { CHUNK_BYTES, type CsvJob, type CsvJobs, JobLost } from './csv-jobs.ts';
import { SAMPLE_BYTES } from './csv-layout.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';

/** Bytes of a file, at most. */
export const MAX_FILE = 200 * 1024 * 1024;

/** Bytes after which other jobs have a turn. */
const TURN_BYTES = 2 * CHUNK_BYTES;

/** Bytes that are parsed at a time: about 5 ms, which requests may have to wait for. */
const SLICE_BYTES = 128 * 1024;

/** What is thrown about a file of more than MAX_FILE. */
export const tooLarge = () => new Refusal('too-large', `is over ${MAX_FILE / 1024 / 1024} MiB`, 'file');

/** Stores rows, and that they are stored, in one transaction. Throws JobLost and what ends the import. */
type TakeRows = (reader: CsvReader, rows: readonly CsvRow[]) => Promise<void>;

/** Files of imports, whatever they are imported into: takes them in, and reads them turn by turn. */
export class CsvIntake {
  readonly #sql: Sql;
  readonly #jobs: CsvJobs;

  constructor(parts: { sql: Sql; jobs: CsvJobs }) {
    this.#sql = parts.sql;
    this.#jobs = parts.jobs;
  }

  /**
   * Stores a file of an import in pieces as they come, chunk by chunk, and lets `accept` judge it by its beginning: then
   * it waits for its turn. Memory is that of a chunk. When it is refused, nothing is left of the import. Throws Refusal
   * `too-large`, `not-now` (it was stopped meanwhile), and what `file` and `accept` throw.
   */
  async receive(
    job: CsvJob,
    file: AsyncIterable<Buffer>,
    accept: (sample: Buffer) => Promise<void>,
  ): Promise<CsvJob> {
    try {
      await accept(await this.#store(job, file));
    } catch (error) {
      if (error instanceof JobLost) throw new Refusal('not-now', 'the import was stopped');
      await this.#jobs.discard(job);
      throw error;
    }
    return (await this.#jobs.find(job.account_id, 'import', job.id))!;
  }

  /** Works on a leased import for one turn. Throws JobLost when it was stopped meanwhile, NotCsv, and what `take` throws. */
  async turn(job: CsvJob, separator: string, take: TakeRows): Promise<void> {
    const { position, line } = job;
    const reader = new CsvReader({ separator, position, line });
    let at = position;
    do {
      const chunk = at < job.bytes ? await this.#jobs.chunk(job, Math.floor(at / CHUNK_BYTES)) : undefined;
      if (!chunk) {
        await take(reader, await reader.end());
        return this.#jobs.finish(job, 'done');
      }
      const bytes = chunk.subarray(at % CHUNK_BYTES);
      at += bytes.length;
      await this.#read(reader, bytes, take);
    } while (!reader.settled || reader.position - position < TURN_BYTES);
    await this.#jobs.giveBack(job);
  }

  async #read(reader: CsvReader, bytes: Buffer, take: TakeRows): Promise<void> {
    let rows: CsvRow[] = [];
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      rows = rows.concat(await reader.push(bytes.subarray(start, start + SLICE_BYTES)));
      if (rows.length >= ROWS_A_STATEMENT || start + SLICE_BYTES >= bytes.length) {
        await take(reader, rows);
        rows = [];
      }
      // Requests first.
      await setImmediate();
    }
  }

  /** Stores a file chunk by chunk. Returns its beginning. */
  async #store(job: CsvJob, file: AsyncIterable<Buffer>): Promise<Buffer> {
    const pending: Buffer[] = [];
    let sample = Buffer.alloc(0);
    let length = 0;
    let total = 0;
    let sequence = 0;
    const write = async (data: Buffer) => {
      if (sequence === 0) sample = Buffer.from(data.subarray(0, SAMPLE_BYTES));
      await this.#sql.begin(async (tx) => {
        await this.#jobs.progress(tx, job, { bytes: data.length, chunks: 1 });
        await this.#jobs.addChunk(tx, job, sequence, data);
      });
      sequence++;
    };
    for await (const piece of file) {
      total += piece.length;
      if (total > MAX_FILE) {
        throw tooLarge();
      }
      pending.push(piece);
      length += piece.length;
      if (length < CHUNK_BYTES) continue;
      let whole = Buffer.concat(pending);
      for (; whole.length >= CHUNK_BYTES; whole = whole.subarray(CHUNK_BYTES)) {
        await write(whole.subarray(0, CHUNK_BYTES));
      }
      pending.splice(0, pending.length, whole);
      length = whole.length;
    }
    if (length > 0) await write(Buffer.concat(pending));
    return sample;
  }
}
