import type { Sql } from '../database/connection.ts';
import type { CsvJob, CsvJobs } from './csv-jobs.ts';

/** Rows of one step, which is a chunk of the file and a transaction. */
export const STEP = 10_000;
/** Steps after which other jobs have a turn. */
const TURN_STEPS = 5;

/** A piece of an exported file. */
interface CsvStep {
  readonly data: Buffer;
  /** How many rows there were to read: fewer than STEP are the last. */
  readonly rows: number;
  /** What the last of them is found by; undefined when there was none. */
  readonly after: string | undefined;
}

/**
 * Writes a leased export for one turn, whatever is exported. `next` makes the piece after the place where the last one
 * ended ('' is the beginning). Throws JobLost when it was stopped meanwhile, and what `next` throws.
 */
export async function writeTurn(
  { sql, jobs }: { readonly sql: Sql; readonly jobs: CsvJobs },
  job: CsvJob,
  next: (after: string, first: boolean) => Promise<CsvStep>,
): Promise<void> {
  let { after_phone: after, chunks } = job;
  for (let step = 0; step < TURN_STEPS; step++) {
    const { data, rows, after: last } = await next(after, chunks === 0);
    after = last ?? after;
    await sql.begin(async (tx) => {
      await jobs.progress(tx, job, { after_phone: after, rows, bytes: data.length, chunks: 1 });
      await jobs.addChunk(tx, job, chunks, data);
    });
    chunks++;
    if (rows < STEP) return jobs.finish(job, 'done');
  }
  await jobs.giveBack(job);
}
