import type { Context } from '../context.ts';
import { texts } from '../database/arrays.ts';
import type { TransactionSql } from '../database/connection.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import type { Blacklist } from './blacklist.ts';
import type { ContactLists } from './contact-lists.ts';
import { type Contact, insertContacts, ListGone, lockLists } from './contact-rows.ts';
import { CsvIntake } from './csv-intake.ts';
import { type CsvJob, type CsvJobs, FOR_BLACKLIST } from './csv-jobs.ts';
import { type ColumnChoice, type CsvLayout, type HeaderChoice, readLayout, readRow } from './csv-layout.ts';
import { type CsvPreview, previewFile } from './csv-preview.ts';

interface ImportsDeps extends Pick<Context, 'sql'> {
  readonly jobs: CsvJobs;
  readonly lists: ContactLists;
  readonly blacklist: Blacklist;
  readonly numbers: NumberReader;
}

/** Imports CSV files into contact lists and the blacklist: takes files in, and works them off turn by turn. */
export class Imports {
  readonly #deps: ImportsDeps;
  readonly #intake: CsvIntake;

  constructor(deps: ImportsDeps) {
    this.#deps = deps;
    this.#intake = new CsvIntake(deps);
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
    await this.#deps.lists.get(accountId, listId);
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
    const list = await this.#deps.lists.get(accountId, listId);
    return previewFile(sample, header, this.#deps.numbers, list.columns, choice);
  }

  async #receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    header: HeaderChoice,
    choice: ColumnChoice,
  ): Promise<CsvJob> {
    const job = await this.#deps.jobs.create(accountId, listId, null);
    return this.#intake.receive(job, file, (sample) => this.#accept(job, sample, header, choice));
  }

  /** Works on a leased import for one turn. Throws JobLost when it was stopped meanwhile, ListGone and NotCsv. */
  async turn(job: CsvJob): Promise<void> {
    const { sql, numbers } = this.#deps;
    const { account_id: accountId, list_id: listId } = job;
    const layout = job.layout as CsvLayout;
    await this.#intake.turn<Contact>(job, {
      separator: layout.separator,
      read: (fields) => readRow(fields, layout, numbers),
      store: async (rows, stored) => {
        // Of rows with the same phone the first holds.
        const contacts = new Map(rows.toReversed().map((contact) => [contact.phone, contact]));
        await sql.begin(async (tx) => {
          const added = await this.#add(tx, accountId, listId, [...contacts.values()]);
          await stored(tx, added.length);
        });
      },
    });
  }

  async #add(
    tx: TransactionSql,
    accountId: number,
    listId: number,
    contacts: readonly Contact[],
  ): Promise<string[]> {
    if (listId === FOR_BLACKLIST) {
      return this.#deps.blacklist.addWithin(
        tx,
        accountId,
        contacts.map(({ phone }) => phone),
      );
    }
    if (!(await lockLists(tx, accountId, [listId])).has(listId)) throw new ListGone();
    return insertContacts(tx, accountId, listId, contacts);
  }

  async #accept(job: CsvJob, sample: Buffer, header: HeaderChoice, choice: ColumnChoice): Promise<void> {
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
      await this.#deps.jobs.received(tx, job, start);
    });
  }
}
