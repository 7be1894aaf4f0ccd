import type { Sql } from '../../database/connection.ts';
import { type CsvCell, type CsvChunk, csvOf, writeCsv } from '../../kit/text/csv.ts';
import type { TurnResult } from './contact-work.ts';
import type { CsvAudience, CsvJob, CsvJobs, ExportRequester, WorkedJob } from './csv-jobs.ts';
import type { ExportLayout } from './csv-layout.ts';

/** Rows of one step of a job: one chunk of the file, in one transaction. */
const STEP = 10_000;
/** Steps of a job before other jobs have a turn. */
const TURN_STEPS = 5;
/** Rows per query for a file that is streamed to the caller. */
const PAGE = 2_000;

/** Lists of one kind, as they are exported. */
interface ExportedLists<Row> {
  readonly audience: CsvAudience;
  /** Returns the columns of a list. Throws Refusal `unknown-list`. */
  layoutOf(accountId: number, listId: number): Promise<ExportLayout>;
  /** Names of the columns of the file. */
  namesOf(layout: ExportLayout): readonly string[];
  /**
   * Returns up to `limit` rows of a list, ordered by cursor, after `after` ('' for the first page). Fewer rows mean
   * that this is the last page. Throws ListGone if the list was removed.
   */
  page(accountId: number, listId: number, after: string, limit: number): Promise<readonly Row[]>;
  cursorOf(row: Row): string;
  cellsOf(row: Row, layout: ExportLayout): readonly CsvCell[];
}

/** Exports lists of one kind as CSV: streamed to the caller, or in the background into a file for later download. */
export class ListExports<Row> {
  readonly #deps: { readonly sql: Sql; readonly jobs: CsvJobs };
  readonly #lists: ExportedLists<Row>;

  constructor(deps: { readonly sql: Sql; readonly jobs: CsvJobs }, lists: ExportedLists<Row>) {
    this.#deps = deps;
    this.#lists = lists;
  }

  /**
   * Streams a list as a CSV file while reading it from the database. Throws Refusal `unknown-list`; the stream throws
   * ListGone if the list is removed before its end.
   */
  async stream(accountId: number, listId: number): Promise<AsyncGenerator<CsvChunk>> {
    const lists = this.#lists;
    const layout = await lists.layoutOf(accountId, listId);
    const pages = this.#pages(accountId, listId);
    return csvOf(lists.namesOf(layout), pages, (row) => lists.cellsOf(row, layout));
  }

  /**
   * Creates an export, which waits for its turn. Throws Refusal `unknown-list` or `too-fast` (five exports are open).
   */
  async start(accountId: number, listId: number, by: ExportRequester): Promise<CsvJob> {
    const layout = await this.#lists.layoutOf(accountId, listId);
    return this.#deps.jobs.create(accountId, listId, layout, this.#lists.audience, by);
  }

  /**
   * Works on a leased export for one turn. Throws JobLost if the job was stopped, ListGone, and Refusal `over-budget`.
   */
  async turn(job: WorkedJob): Promise<TurnResult> {
    const { sql, jobs } = this.#deps;
    const lists = this.#lists;
    const layout = job.layout as ExportLayout;
    let { after_phone: after, chunks } = job;
    for (let step = 0; step < TURN_STEPS; step++) {
      const rows = await lists.page(job.account_id, job.list_id, after, STEP);
      const cells = rows.map((row) => lists.cellsOf(row, layout));
      const isFirst = chunks === 0;
      const data = writeCsv(isFirst ? [lists.namesOf(layout), ...cells] : cells, isFirst);
      if (rows.length > 0) after = lists.cursorOf(rows.at(-1)!);
      const progress = { after_phone: after, rows: rows.length };
      await sql.begin((tx) => jobs.append(tx, job, chunks, data, progress));
      chunks++;
      if (rows.length < STEP) return jobs.finish(job, 'done');
    }
    return 'more';
  }

  async *#pages(accountId: number, listId: number): AsyncGenerator<readonly Row[]> {
    for (let after = ''; ; ) {
      const rows = await this.#lists.page(accountId, listId, after, PAGE);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = this.#lists.cursorOf(rows.at(-1)!);
    }
  }
}
