import { setImmediate } from 'node:timers/promises';
import { texts } from '../database/arrays.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { Pending } from '../events/events.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import type { Blacklist } from './blacklist.ts';
import type { ContactLists } from './contact-lists.ts';
import { type Contact, insertContacts, ListGone, lockLists, ROWS_A_STATEMENT } from './contact-rows.ts';
import { CHUNK_BYTES, type CsvJob, type CsvJobs, FOR_BLACKLIST, JobLost } from './csv-jobs.ts';
import {
  type ColumnChoice,
  type CsvLayout,
  type HeaderChoice,
  readLayout,
  readRow,
  SAMPLE_BYTES,
} from './csv-layout.ts';
import { type CsvPreview, previewFile } from './csv-preview.ts';
import { CsvReader, type CsvRow } from './csv-reader.ts';
import type { RefusalReason } from './csv-refusals.ts';

/** Bytes of a file, at most. */
export const FILE_MOST = 200 * 1024 * 1024;

/** Bytes after which other jobs have a turn. */
const TURN_BYTES = 2 * CHUNK_BYTES;

/** Bytes that are parsed at a time: about 5 ms, which requests may have to wait for. */
const SLICE_BYTES = 128 * 1024;

/** Imports CSV files into contact lists and the blacklist: takes files in, and works them off turn by turn. */
export class Imports {
  readonly #sql: Sql;
  readonly #jobs: CsvJobs;
  readonly #lists: ContactLists;
  readonly #blacklist: Blacklist;
  readonly #numbers: NumberReader;

  constructor(parts: {
    sql: Sql;
    jobs: CsvJobs;
    lists: ContactLists;
    blacklist: Blacklist;
    numbers: NumberReader;
  }) {
    this.#sql = parts.sql;
    this.#jobs = parts.jobs;
    this.#lists = parts.lists;
    this.#blacklist = parts.blacklist;
    this.#numbers = parts.numbers;
  }

  /**
   * Takes in a file for a list, in pieces as they come, and makes it an import that waits for its turn. Memory is that
   * of a chunk. Throws Refusal `unknown-list`, `too-fast` (five imports are under way), `too-large`, `bad-field` (the
   * file cannot be read), and what `file` throws; then nothing is left of it. `not-now`: it was stopped meanwhile.
   */
  async receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    header: HeaderChoice,
    choice: ColumnChoice = 'named',
  ): Promise<CsvJob> {
    await this.#lists.get(accountId, listId);
    return this.#receive(accountId, listId, file, header, choice);
  }

  /** As `receive`, for the blacklist: of the file the phones are taken, and no other column. */
  async receiveForBlacklist(
    accountId: number,
    file: AsyncIterable<Buffer>,
    header: HeaderChoice,
  ): Promise<CsvJob> {
    return this.#receive(accountId, FOR_BLACKLIST, file, header, 'phone-only');
  }

  /** Reads from the beginning of a file what `receive` would make of it. Throws the same Refusals. */
  async preview(
    accountId: number,
    listId: number,
    sample: Buffer,
    header: HeaderChoice,
    choice: ColumnChoice = 'named',
  ): Promise<CsvPreview> {
    const list = await this.#lists.get(accountId, listId);
    return previewFile(sample, header, this.#numbers, list.columns, choice);
  }

  async #receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    header: HeaderChoice,
    choice: ColumnChoice,
  ): Promise<CsvJob> {
    const job = await this.#jobs.create(accountId, listId, null);
    try {
      const sample = await this.#store(job, file);
      await this.#accept(job, sample, header, choice);
    } catch (error) {
      if (error instanceof JobLost) throw new Refusal('not-now', 'the import was stopped');
      await this.#jobs.discard(job);
      throw error;
    }
    return (await this.#jobs.find(accountId, 'import', job.id))!;
  }

  /** Works on a leased import for one turn. Throws JobLost when it was stopped meanwhile, ListGone and NotCsv. */
  async turn(job: CsvJob): Promise<void> {
    const { position, line } = job;
    const { separator } = job.layout as CsvLayout;
    const reader = new CsvReader({ separator, position, line });
    let at = position;
    do {
      const chunk = at < job.bytes ? await this.#jobs.chunk(job, Math.floor(at / CHUNK_BYTES)) : undefined;
      if (!chunk) {
        await this.#take(job, reader, await reader.end());
        return this.#jobs.finish(job, 'done');
      }
      const bytes = chunk.subarray(at % CHUNK_BYTES);
      at += bytes.length;
      await this.#read(job, reader, bytes);
    } while (!reader.settled || reader.position - position < TURN_BYTES);
    await this.#jobs.giveBack(job);
  }

  async #read(job: CsvJob, reader: CsvReader, bytes: Buffer): Promise<void> {
    let rows: CsvRow[] = [];
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      rows = rows.concat(await reader.push(bytes.subarray(start, start + SLICE_BYTES)));
      if (rows.length >= ROWS_A_STATEMENT || start + SLICE_BYTES >= bytes.length) {
        await this.#take(job, reader, rows);
        rows = [];
      }
      // Requests first.
      await setImmediate();
    }
  }

  /** Stores rows, and that they are stored, in one transaction. */
  async #take(job: CsvJob, reader: CsvReader, rows: readonly CsvRow[]): Promise<void> {
    const contacts = new Map<string, Contact>();
    const refused: { line: number; reason: RefusalReason }[] = [];
    const layout = job.layout as CsvLayout;
    let usable = 0;
    for (const { line, fields } of rows) {
      const row = typeof fields === 'string' ? fields : readRow(fields, layout, this.#numbers);
      if (row === undefined) continue;
      if (typeof row === 'string') refused.push({ line, reason: row });
      else {
        usable++;
        if (!contacts.has(row.phone)) contacts.set(row.phone, row);
      }
    }
    const { account_id: accountId, list_id: listId } = job;
    const pending = await this.#sql.begin(async (tx) => {
      const { added, events } = await this.#add(tx, accountId, listId, [...contacts.values()]);
      await this.#jobs.refuse(tx, job, refused);
      await this.#jobs.progress(tx, job, {
        position: reader.position,
        line: reader.line,
        rows: usable + refused.length,
        added: added.length,
        present: usable - added.length,
        refused: refused.length,
      });
      return events;
    });
    pending?.committed();
  }

  async #add(
    tx: TransactionSql,
    accountId: number,
    listId: number,
    contacts: readonly Contact[],
  ): Promise<{ added: string[]; events: Pending | undefined }> {
    if (listId === FOR_BLACKLIST) {
      return this.#blacklist.addWithin(
        tx,
        accountId,
        contacts.map(({ phone }) => phone),
      );
    }
    if (!(await lockLists(tx, accountId, [listId])).has(listId)) throw new ListGone();
    return { added: await insertContacts(tx, accountId, listId, contacts), events: undefined };
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
      if (total > FILE_MOST) {
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

  async #accept(job: CsvJob, sample: Buffer, header: HeaderChoice, choice: ColumnChoice): Promise<void> {
    const { account_id: accountId, list_id: listId } = job;
    await this.#sql.begin(async (tx) => {
      if (listId === FOR_BLACKLIST) {
        await this.#jobs.received(tx, job, await readLayout(sample, header, this.#numbers, [], choice));
        return;
      }
      await lockLists(tx, accountId, [listId]);
      const list = await this.#lists.get(accountId, listId, tx);
      const start = await readLayout(sample, header, this.#numbers, list.columns, choice);
      await tx`
        UPDATE contact_lists SET columns = ${texts(start.columns)}::text[]
        WHERE account_id = ${accountId} AND id = ${listId}`;
      await this.#jobs.received(tx, job, start);
    });
  }
}

/** What is thrown about a file of more than FILE_MOST. */
export const tooLarge = () => new Refusal('too-large', `file: is over ${FILE_MOST / 1024 / 1024} MiB`);
