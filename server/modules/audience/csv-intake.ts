import { setImmediate } from 'node:timers/promises';
import { ROWS_A_STATEMENT } from '../../database/arrays.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';
import type { TurnResult } from './contact-work.ts';
import { CHUNK_BYTES, type CsvJob, type CsvJobs, JobLost, type WorkedJob } from './csv-jobs.ts';
import { SAMPLE_BYTES } from './csv-layout.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import type { RefusalReason } from './csv-refusals.ts';

/** Maximum size of a file, in bytes. */
export const MAX_FILE = 200 * 1024 * 1024;

/** Bytes of a file that a job processes before other jobs have a turn. */
const TURN_BYTES = 2 * CHUNK_BYTES;

/** Bytes parsed without a pause: about 5 ms, during which requests wait. */
const SLICE_BYTES = 128 * 1024;

/** Returns the error for a file of more than MAX_FILE bytes. */
export const tooLarge = () => new Refusal('too-large', `is over ${MAX_FILE / 1024 / 1024} MiB`, 'file');

/** Reads and stores the rows of one kind of file. */
interface RowTaker<Row extends object> {
  readonly separator: string;
  /** Reads the fields of a row, or returns the reason why it is invalid; undefined for a row without text. */
  read(fields: readonly string[]): Row | RefusalReason | undefined;
  /**
   * Stores rows and in the same transaction calls `stored` with the number of new rows and of recorded consents. Throws
   * errors that end the import.
   */
  store(
    rows: readonly Row[],
    stored: (tx: TransactionSql, added: number, consents?: number) => Promise<void>,
  ): Promise<void>;
}

/** Files of imports of any audience: receives them, and reads them in turns. */
export class CsvIntake {
  readonly #deps: { readonly sql: Sql; readonly jobs: CsvJobs };

  constructor(deps: { readonly sql: Sql; readonly jobs: CsvJobs }) {
    this.#deps = deps;
  }

  /**
   * Stores the file of an import chunk by chunk while it arrives, and lets `accept` check its beginning. The import
   * then waits for its turn. Holds one chunk in memory. Deletes the import if the file is refused. Throws Refusal
   * `too-large`, `over-budget`, `not-now` (the import was stopped), and errors of `file` and `accept`.
   */
  async receive(
    job: CsvJob,
    file: AsyncIterable<Buffer>,
    accept: (sample: Buffer) => Promise<void>,
  ): Promise<CsvJob> {
    try {
      await accept(await this.#store(job, file));
    } catch (error) {
      if (error instanceof JobLost)
        throw new Refusal('not-now', 'the import was stopped', undefined, { reason: 'import-stopped' });
      await this.#deps.jobs.discard(job);
      throw error;
    }
    return (await this.#deps.jobs.find(job.account_id, 'import', job.id))!;
  }

  /**
   * Works on a leased import for one turn. Throws JobLost if the job was stopped in the meantime, NotCsv, and errors of
   * `store`.
   */
  async turn<Row extends object>(job: WorkedJob, taker: RowTaker<Row>): Promise<TurnResult> {
    const { position, line } = job;
    const reader = new CsvReader({ separator: taker.separator, position, line });
    const take = (rows: readonly CsvRow[]) => this.#take(job, taker, reader, rows);
    let at = position;
    do {
      const chunk =
        at < job.bytes ? await this.#deps.jobs.chunk(job, Math.floor(at / CHUNK_BYTES)) : undefined;
      if (!chunk) {
        await take(await reader.end());
        return this.#deps.jobs.finish(job, 'done');
      }
      const bytes = chunk.subarray(at % CHUNK_BYTES);
      at += bytes.length;
      await this.#read(reader, bytes, take);
    } while (!reader.settled || reader.position - position < TURN_BYTES);
    return 'more';
  }

  async #read(
    reader: CsvReader,
    bytes: Buffer,
    take: (rows: readonly CsvRow[]) => Promise<void>,
  ): Promise<void> {
    let rows: CsvRow[] = [];
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      rows = rows.concat(await reader.push(bytes.subarray(start, start + SLICE_BYTES)));
      if (rows.length >= ROWS_A_STATEMENT || start + SLICE_BYTES >= bytes.length) {
        await take(rows);
        rows = [];
      }
      // Lets waiting requests run first.
      await setImmediate();
    }
  }

  /** Stores rows and the progress of the import in one transaction. */
  async #take<Row extends object>(
    job: WorkedJob,
    { read, store }: RowTaker<Row>,
    { position, line }: CsvReader,
    rows: readonly CsvRow[],
  ): Promise<void> {
    const { jobs } = this.#deps;
    const taken: Row[] = [];
    const refused: { line: number; reason: RefusalReason }[] = [];
    for (const { line, fields } of rows) {
      const row = typeof fields === 'string' ? fields : read(fields);
      if (typeof row === 'string') refused.push({ line, reason: row });
      else if (row !== undefined) taken.push(row);
    }
    await store(taken, async (tx, added, consents = 0) => {
      await jobs.refuse(tx, job, refused);
      await jobs.progress(tx, job, {
        position,
        line,
        rows: taken.length + refused.length,
        added,
        present: taken.length - added,
        refused: refused.length,
        consents,
      });
    });
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
      await this.#deps.sql.begin((tx) => this.#deps.jobs.append(tx, job, sequence, data));
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
