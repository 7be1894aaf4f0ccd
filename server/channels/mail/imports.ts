import { type SendKey, storeSendKey } from '../../api/send-keys/send-keys.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import { firstOfEach } from '../../kit/first-of-each.ts';
import { ListGone } from '../../modules/audience/contact-rows.ts';
import type { TurnResult } from '../../modules/audience/contact-work.ts';
import { CsvIntake } from '../../modules/audience/csv-intake.ts';
import type { CsvJob, CsvJobs, WorkedJob } from '../../modules/audience/csv-jobs.ts';
import { type HeaderChoice, type ImportOptions, withOptions } from '../../modules/audience/csv-layout.ts';
import type { Consents } from '../../modules/consents/consents.ts';
import { type AgreedRow, entriesOf, readAgreedAt } from '../../modules/consents/import.ts';
import type { MailAdditions } from './additions.ts';
import { type MailColumn, type MailCsvLayout, readMailLayout, readMailRow } from './csv-layout.ts';
import type { MailLists } from './lists.ts';
import type { UserInput } from './user-changes.ts';

interface MailImportsDeps {
  readonly sql: Sql;
  readonly jobs: CsvJobs;
  readonly lists: MailLists;
  readonly additions: MailAdditions;
  readonly clock: Clock;
  readonly consents: Pick<Consents, 'recordWithin'>;
}

/** Imports CSV files into mailing lists, like those into contact lists (server/modules/audience/imports.ts). */
export class MailImports {
  readonly #deps: MailImportsDeps;
  readonly #intake: CsvIntake;

  constructor(deps: MailImportsDeps) {
    this.#deps = deps;
    this.#intake = new CsvIntake(deps);
  }

  /**
   * Stores a file for a list while it arrives and creates an import that waits for its turn. `columns` is as in
   * `readMailLayout`. Throws Refusal `unknown-list`, `too-fast` (five imports are open), `too-large`, `bad-field` (the
   * file is unreadable), `not-now` (the import was stopped), and errors of `file`; then nothing of the file is kept.
   * `sendKey` is stored once the file is complete.
   */
  async receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    options: ImportOptions & {
      readonly header: HeaderChoice;
      readonly columns?: readonly MailColumn[] | undefined;
      readonly sendKey?: SendKey<CsvJob> | undefined;
    },
  ): Promise<CsvJob> {
    await this.#deps.lists.get(accountId, listId);
    const job = await this.#deps.jobs.create(accountId, listId, null, 'mail');
    return this.#intake.receive(job, file, async (sample) => {
      const start = await readMailLayout(sample, options.header, options.columns);
      const layout = withOptions(start.layout, start.layout.columns.length, options);
      await this.#deps.sql.begin(async (tx) => {
        const received = await this.#deps.jobs.received(tx, job, { ...start, layout });
        await storeSendKey(tx, accountId, options.sendKey, received);
      });
    });
  }

  /** Works on a leased import for one turn. Throws JobLost if it was stopped in the meantime, ListGone and NotCsv. */
  async turn(job: WorkedJob): Promise<TurnResult> {
    const { additions, clock, consents } = this.#deps;
    const layout = job.layout as MailCsvLayout;
    const { consent } = layout;
    const now = clock.now();
    return this.#intake.turn<AgreedRow<UserInput>>(job, {
      separator: layout.separator,
      read: (fields) => {
        const row = readMailRow(fields, layout);
        if (row === undefined || typeof row === 'string') return row;
        const agreedAt = consent ? readAgreedAt(fields, consent, now) : null;
        return agreedAt === 'bad-consent-time' ? agreedAt : { row, agreedAt };
      },
      async store(rows, stored) {
        const users = rows.map(({ row }) => row);
        // The first of several rows with the same address sets the time of consent.
        const first = firstOfEach(rows, ({ row }) => row.address.key);
        const keyOf = ({ address }: UserInput) => address.key;
        const entries = consent ? entriesOf(first.values(), consent, job.id, keyOf) : [];
        try {
          const also = async (tx: TransactionSql, { added }: { readonly added: number }) => {
            await stored(tx, added, entries.length);
            await consents.recordWithin(tx, job.account_id, entries);
          };
          await additions.addWith(job.account_id, [job.list_id], users, also, layout.existing);
        } catch (error) {
          if (error instanceof Refusal && error.code === 'unknown-list') throw new ListGone('mailing');
          throw error;
        }
      },
    });
  }
}
