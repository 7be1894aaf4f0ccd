import { texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { firstOfEach } from '../../kit/first-of-each.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { Consents } from '../consents/consents.ts';
import { type AgreedRow, entriesOf, readAgreedAt } from '../consents/import.ts';
import type { Blacklist } from './blacklist.ts';
import type { ContactLists } from './contact-lists.ts';
import { type Contact, insertContacts, ListGone, lockLists, updateContacts } from './contact-rows.ts';
import type { TurnResult } from './contact-work.ts';
import { CsvIntake } from './csv-intake.ts';
import { type CsvJob, type CsvJobs, FOR_BLACKLIST, type WorkedJob } from './csv-jobs.ts';
import {
  type ColumnChoice,
  type CsvLayout,
  type ExistingChoice,
  type HeaderChoice,
  type ImportOptions,
  readLayout,
  readRow,
  withOptions,
} from './csv-layout.ts';
import { type CsvPreview, previewFile } from './csv-preview.ts';

interface ImportsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly consents: Pick<Consents, 'recordWithin'>;
  readonly jobs: CsvJobs;
  readonly lists: ContactLists;
  readonly blacklist: Blacklist;
  readonly numbers: NumberReader;
}

/** Reading options of a file of contacts. */
interface ContactFile extends ImportOptions {
  readonly header: HeaderChoice;
  readonly columns?: ColumnChoice | undefined;
}

/** Imports CSV files into contact lists and the blacklist: receives the files, and processes them in turns. */
export class Imports {
  readonly #deps: ImportsDeps;
  readonly #intake: CsvIntake;

  constructor(deps: ImportsDeps) {
    this.#deps = deps;
    this.#intake = new CsvIntake(deps);
  }

  /**
   * Stores a file for a list while it arrives and creates an import that waits for its turn. Holds one chunk in memory.
   * Throws Refusal `unknown-list`, `too-fast` (five imports are open), `too-large`, `bad-field` (the file is
   * unreadable), `not-now` (the import was stopped), and errors of `file`; then nothing of the file is kept.
   */
  async receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    layout: ContactFile,
  ): Promise<CsvJob> {
    await this.#deps.lists.get(accountId, listId);
    return this.#receive(accountId, listId, file, layout);
  }

  /** As `receive`, for the blacklist: imports only the phones of the file. */
  async receiveForBlacklist(
    accountId: number,
    file: AsyncIterable<Buffer>,
    header: HeaderChoice,
  ): Promise<CsvJob> {
    return this.#receive(accountId, FOR_BLACKLIST, file, { header, columns: 'phone-only' });
  }

  /** Shows the result of `receive` from the beginning of a file. Throws the same Refusals. */
  async preview(
    accountId: number,
    listId: number,
    sample: Buffer,
    header: HeaderChoice,
    choice: ColumnChoice = 'named',
  ): Promise<CsvPreview> {
    const list = await this.#deps.lists.get(accountId, listId);
    return previewFile(sample, header, this.#deps.numbers, list.columns, choice);
  }

  async #receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    layout: ContactFile,
  ): Promise<CsvJob> {
    const job = await this.#deps.jobs.create(accountId, listId, null);
    return this.#intake.receive(job, file, (sample) => this.#accept(job, sample, layout));
  }

  /**
   * Works on a leased import for one turn. Throws JobLost if the job was stopped in the meantime, ListGone and NotCsv.
   */
  async turn(job: WorkedJob): Promise<TurnResult> {
    const { sql, clock, consents, numbers } = this.#deps;
    const { account_id: accountId, list_id: listId } = job;
    const layout = job.layout as CsvLayout;
    const { consent } = layout;
    const now = clock.now();
    return this.#intake.turn<AgreedRow<Contact>>(job, {
      separator: layout.separator,
      read: (fields) => {
        const row = readRow(fields, layout, numbers);
        if (row === undefined || typeof row === 'string') return row;
        const agreedAt = consent ? readAgreedAt(fields, consent, now) : null;
        return agreedAt === 'bad-consent-time' ? agreedAt : { row, agreedAt };
      },
      store: async (rows, stored) => {
        // The first of several rows with the same phone sets the time of its consent.
        const first = [...firstOfEach(rows, ({ row }) => row.phone).values()];
        const entries = consent ? entriesOf(first, consent, job.id, ({ phone }) => phone) : [];
        const contacts = layout.existing === 'update' ? mergeRows(rows) : first.map(({ row }) => row);
        await sql.begin(async (tx) => {
          const added = await this.#add(tx, accountId, listId, contacts, layout.existing);
          await stored(tx, added.length, entries.length);
          await consents.recordWithin(tx, accountId, entries);
        });
      },
    });
  }

  async #add(
    tx: TransactionSql,
    accountId: number,
    listId: number,
    contacts: readonly Contact[],
    existing: ExistingChoice | undefined,
  ): Promise<string[]> {
    if (listId === FOR_BLACKLIST) {
      return this.#deps.blacklist.addWithin(
        tx,
        accountId,
        contacts.map(({ phone }) => phone),
      );
    }
    if (!(await lockLists(tx, accountId, [listId])).has(listId)) throw new ListGone();
    const add = existing === 'update' ? updateContacts : insertContacts;
    return add(tx, accountId, listId, contacts);
  }

  async #accept(job: CsvJob, sample: Buffer, file: ContactFile): Promise<void> {
    const { header, columns: choice = 'named' } = file;
    const { account_id: accountId, list_id: listId } = job;
    await this.#deps.sql.begin(async (tx) => {
      if (listId === FOR_BLACKLIST) {
        await this.#deps.jobs.received(
          tx,
          job,
          await readLayout(sample, header, this.#deps.numbers, [], choice),
        );
        return;
      }
      await lockLists(tx, accountId, [listId]);
      const list = await this.#deps.lists.get(accountId, listId, tx);
      const start = await readLayout(sample, header, this.#deps.numbers, list.columns, choice);
      await tx`
        UPDATE contact_lists SET columns = ${texts(start.columns)}::text[]
        WHERE account_id = ${accountId} AND id = ${listId}`;
      const layout = withOptions(start.layout, start.layout.slots.length, file);
      await this.#deps.jobs.received(tx, job, { ...start, layout });
    });
  }
}

/** Merges rows with the same phone; later values win. */
function mergeRows(rows: readonly AgreedRow<Contact>[]): Contact[] {
  const merged = new Map<string, Contact>();
  for (const { row } of rows) {
    const before = merged.get(row.phone)?.fields ?? [];
    const width = Math.max(before.length, row.fields.length);
    const fields = Array.from({ length: width }, (_, at) => row.fields[at] ?? before[at] ?? null);
    merged.set(row.phone, { phone: row.phone, fields });
  }
  return [...merged.values()];
}
