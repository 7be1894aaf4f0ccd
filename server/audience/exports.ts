import type { Context } from '../context.ts';
import { displayNumber } from '../numbers/numbers.ts';
import { type CsvChunk, writeCsv } from '../text/csv.ts';
import type { ContactList, ContactLists } from './contact-lists.ts';
import type { Contact } from './contact-rows.ts';
import type { CsvJob, CsvJobs, ExportRequester } from './csv-jobs.ts';
import type { ExportLayout } from './csv-layout.ts';
import { STEP, writeTurn } from './csv-outlet.ts';

interface ExportsDeps extends Pick<Context, 'sql'> {
  readonly jobs: CsvJobs;
  readonly lists: ContactLists;
}

/** Exports contact lists as CSV: at once, or in the background as a file to be fetched later. */
export class Exports {
  readonly #deps: ExportsDeps;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  /**
   * A list as a CSV file, as it is read from the database. Throws Refusal `unknown-list`; the file throws ListGone when
   * the list is removed before its end.
   */
  async stream(accountId: number, listId: number): Promise<AsyncGenerator<CsvChunk>> {
    return this.#write(await this.#deps.lists.get(accountId, listId));
  }

  /** Makes an export that waits for its turn. Throws Refusal `unknown-list` or `too-fast` (five are under way). */
  async start(accountId: number, listId: number, by: ExportRequester): Promise<CsvJob> {
    const list = await this.#deps.lists.get(accountId, listId);
    return this.#deps.jobs.create(accountId, listId, layoutOf(list), 'contacts', by);
  }

  /** The file of an export, chunk by chunk; all rows count with the first one, since chunks are not stored with theirs. */
  async *file(job: CsvJob): AsyncGenerator<CsvChunk> {
    for (let sequence = 0; sequence < job.chunks; sequence++) {
      const data = await this.#deps.jobs.chunk(job, sequence);
      // Half a file is no file: the caller sees a broken answer.
      if (!data) throw new Error('the file of an export is not there any more');
      yield { data, rows: sequence === 0 ? job.rows : 0 };
    }
  }

  /** Works on a leased export for one turn. Throws JobLost when it was stopped meanwhile, and ListGone. */
  async turn(job: CsvJob): Promise<void> {
    const layout = job.layout as ExportLayout;
    await writeTurn({ sql: this.#deps.sql, jobs: this.#deps.jobs }, job, async (after, first) => {
      const contacts = await this.#deps.lists.wholePage(job.account_id, job.list_id, after, STEP);
      return {
        data: writeRows(layout, contacts, first),
        rows: contacts.length,
        after: contacts.at(-1)?.phone,
      };
    });
  }

  async *#write(list: ContactList): AsyncGenerator<CsvChunk> {
    const layout = layoutOf(list);
    let first = true;
    for await (const contacts of this.#deps.lists.pages(list.accountId, list.id)) {
      yield { data: writeRows(layout, contacts, first), rows: contacts.length };
      first = false;
    }
    if (first) yield { data: writeRows(layout, [], true), rows: 0 };
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

/** Rows of a file, which begins with the names: the phone and the dynamic fields. */
function writeRows({ columns }: ExportLayout, contacts: readonly Contact[], first: boolean): Buffer {
  const rows: (string | null)[][] = contacts.map(({ phone, fields }) => [
    displayNumber(phone),
    ...fields.slice(0, columns.length),
  ]);
  if (first) rows.unshift(['phone', ...columns]);
  return writeCsv(rows, first);
}
