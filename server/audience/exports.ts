import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../database/connection.ts';
import { displayNumber } from '../numbers/numbers.ts';
import type { ContactList, ContactLists } from './contact-lists.ts';
import type { Contact } from './contact-rows.ts';
import type { CsvJob, CsvJobs } from './csv-jobs.ts';
import type { ExportLayout } from './csv-layout.ts';

/** Contacts of one step, which is a chunk of the file and a transaction. */
const STEP = 10_000;
/** Steps after which other jobs have a turn. */
const TURN_STEPS = 5;

/** Exports contact lists as CSV: at once, or in the background as a file to be fetched later. */
export class Exports {
  readonly #sql: Sql;
  readonly #jobs: CsvJobs;
  readonly #lists: ContactLists;

  constructor(parts: { sql: Sql; jobs: CsvJobs; lists: ContactLists }) {
    this.#sql = parts.sql;
    this.#jobs = parts.jobs;
    this.#lists = parts.lists;
  }

  /**
   * A list as a CSV file, as it is read from the database. Throws Refusal `unknown-list`; the file throws ListGone when
   * the list is removed before its end.
   */
  async stream(accountId: number, listId: number): Promise<AsyncGenerator<Buffer>> {
    return this.#write(await this.#lists.get(accountId, listId));
  }

  /** Makes an export that waits for its turn. Throws Refusal `unknown-list` or `too-fast` (five are under way). */
  async start(accountId: number, listId: number): Promise<CsvJob> {
    const list = await this.#lists.get(accountId, listId);
    return this.#jobs.create(accountId, listId, layoutOf(list));
  }

  /** The file of an export, chunk by chunk. */
  async *file(job: CsvJob): AsyncGenerator<Buffer> {
    for (let sequence = 0; sequence < job.chunks; sequence++) {
      const data = await this.#jobs.chunk(job, sequence);
      // Half a file is no file: the caller sees a broken answer.
      if (!data) throw new Error('the file of an export is not there any more');
      yield data;
    }
  }

  /** Works on a leased export for one turn. Throws JobLost when it was stopped meanwhile, and ListGone. */
  async turn(job: CsvJob): Promise<void> {
    const layout = job.layout as ExportLayout;
    let { after_phone: after, chunks } = job;
    for (let step = 0; step < TURN_STEPS; step++) {
      const contacts = await this.#lists.wholePage(job.account_id, job.list_id, after, STEP);
      const data = writeRows(layout, contacts, chunks === 0);
      after = contacts.at(-1)?.phone ?? after;
      await this.#sql.begin(async (tx) => {
        await this.#jobs.progress(tx, job, {
          after_phone: after,
          rows: contacts.length,
          bytes: data.length,
          chunks: 1,
        });
        await this.#jobs.addChunk(tx, job, chunks, data);
      });
      chunks++;
      if (contacts.length < STEP) return this.#jobs.finish(job, 'done');
    }
    await this.#jobs.giveBack(job);
  }

  async *#write(list: ContactList): AsyncGenerator<Buffer> {
    const layout = layoutOf(list);
    let first = true;
    for await (const contacts of this.#lists.pages(list.accountId, list.id)) {
      yield writeRows(layout, contacts, first);
      first = false;
    }
    if (first) yield writeRows(layout, [], true);
  }
}

/** As many dynamic fields as the list ever had, under their names. */
function layoutOf({ width, columns }: ContactList): ExportLayout {
  return {
    columns: Array.from(
      { length: Math.max(width, columns.length) },
      (_, index) => columns[index] || `df${index + 1}`,
    ),
  };
}

/**
 * Rows of a file: the phone and the dynamic fields. The file begins with the names and before them a byte-order mark,
 * without which spreadsheets do not take it for UTF-8.
 */
function writeRows({ columns }: ExportLayout, contacts: readonly Contact[], first: boolean): Buffer {
  const rows: (string | null)[][] = contacts.map(({ phone, fields }) => [
    displayNumber(phone),
    ...fields.slice(0, columns.length),
  ]);
  if (first) rows.unshift(['phone', ...columns]);
  const options = { bom: first, record_delimiter: '\r\n', quoted_match: /[\r\n]/ };
  return Buffer.from(stringify(rows, options));
}
