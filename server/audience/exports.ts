import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { displayNumber } from '../numbers/numbers.ts';
import type { ContactList, ContactLists } from './contact-lists.ts';
import type { Contact } from './contact-rows.ts';
import type { CsvJob, CsvJobs } from './csv-jobs.ts';

/** Exports of one account that have not ended, at most. */
const OPEN_MOST = 5;

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

  /** A list as a CSV file, as it is read from the database. Throws Refusal `unknown-list`. */
  async stream(accountId: number, listId: number): Promise<AsyncGenerator<Buffer>> {
    return this.#write(await this.#list(accountId, listId));
  }

  /** Makes an export that waits for its turn. Throws Refusal `unknown-list` or `too-fast` (five are open). */
  async start(accountId: number, listId: number): Promise<CsvJob> {
    await this.#list(accountId, listId);
    if ((await this.#jobs.countOpen(accountId, 'export')) >= OPEN_MOST) {
      throw new Refusal('too-fast', `${OPEN_MOST} exports are not done yet`);
    }
    return this.#jobs.create(accountId, 'export', listId, 'waiting');
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

  /** Works on a leased export for one turn. Throws JobLost when it was stopped meanwhile. */
  async turn(job: CsvJob): Promise<void> {
    const list = (await this.#lists.find(job.account_id, [job.list_id])).get(job.list_id);
    if (!list) return this.#jobs.finish(job, 'failed', 'the contact list was removed');
    let { after_phone: after, chunks } = job;
    for (let step = 0; step < TURN_STEPS; step++) {
      const contacts = await this.#lists.page(this.#sql, list.accountId, list.id, after, STEP);
      const data = writeRows(list, contacts, chunks === 0);
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
    let first = true;
    for await (const contacts of this.#lists.pages(list.accountId, list.id)) {
      yield writeRows(list, contacts, first);
      first = false;
    }
    if (first) yield writeRows(list, [], true);
  }

  async #list(accountId: number, listId: number): Promise<ContactList> {
    const list = (await this.#lists.find(accountId, [listId])).get(listId);
    if (!list) throw new Refusal('unknown-list', 'no such contact list');
    return list;
  }
}

/**
 * Rows of a file: the phone and as many dynamic fields as the list ever had, under their names. The file begins with a
 * byte-order mark, without which spreadsheets do not take it for UTF-8.
 */
function writeRows(list: ContactList, contacts: readonly Contact[], first: boolean): Buffer {
  const width = Math.max(list.width, list.columns.length);
  const rows: (string | null)[][] = contacts.map(({ phone, fields }) => [
    displayNumber(phone),
    ...fields.slice(0, width),
  ]);
  if (first) {
    rows.unshift([
      'phone',
      ...Array.from({ length: width }, (_, index) => list.columns[index] || `df${index + 1}`),
    ]);
  }
  return Buffer.from(stringify(rows, { bom: first, record_delimiter: '\r\n' }));
}
