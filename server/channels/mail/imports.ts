import { ListGone } from '../../audience/contact-rows.ts';
import { CsvIntake } from '../../audience/csv-intake.ts';
import type { CsvJob, CsvJobs } from '../../audience/csv-jobs.ts';
import type { HeaderChoice } from '../../audience/csv-layout.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { type SendKey, storeSendKey } from '../../send-keys/send-keys.ts';
import type { MailAdditions } from './additions.ts';
import { type MailColumn, type MailCsvLayout, readMailLayout, readMailRow } from './csv-layout.ts';
import type { MailLists } from './lists.ts';
import type { UserInput } from './user-changes.ts';

interface MailImportsDeps {
  readonly sql: Sql;
  readonly jobs: CsvJobs;
  readonly lists: MailLists;
  readonly additions: MailAdditions;
}

/** Imports CSV files into mailing lists, as contact lists are (server/audience/imports.ts). */
export class MailImports {
  readonly #deps: MailImportsDeps;
  readonly #intake: CsvIntake;

  constructor(deps: MailImportsDeps) {
    this.#deps = deps;
    this.#intake = new CsvIntake(deps);
  }

  /**
   * Takes in a file for a list (`columns`: as `readMailLayout` takes them), in pieces as they come, and makes it an import that waits for its turn. Throws Refusal
   * `unknown-list`, `too-fast` (five imports are under way), `too-large`, `bad-field` (the file cannot be read), and what
   * `file` throws; then nothing is left of it. `not-now`: it was stopped meanwhile. `sendKey` is stored when the file is
   * there.
   */
  async receive(
    accountId: number,
    listId: number,
    file: AsyncIterable<Buffer>,
    options: {
      readonly header: HeaderChoice;
      readonly columns?: readonly MailColumn[] | undefined;
      readonly sendKey?: SendKey<CsvJob> | undefined;
    },
  ): Promise<CsvJob> {
    await this.#deps.lists.get(accountId, listId);
    const job = await this.#deps.jobs.create(accountId, listId, null, 'mail');
    return this.#intake.receive(job, file, async (sample) => {
      const start = await readMailLayout(sample, options.header, options.columns);
      await this.#deps.sql.begin(async (tx) => {
        const received = await this.#deps.jobs.received(tx, job, start);
        await storeSendKey(tx, accountId, options.sendKey, received);
      });
    });
  }

  /** Works on a leased import for one turn. Throws JobLost when it was stopped meanwhile, ListGone and NotCsv. */
  async turn(job: CsvJob): Promise<void> {
    const { additions } = this.#deps;
    const layout = job.layout as MailCsvLayout;
    await this.#intake.turn<UserInput>(job, {
      separator: layout.separator,
      read: (fields) => readMailRow(fields, layout),
      async store(users, stored) {
        try {
          await additions.addWith(job.account_id, [job.list_id], users, (tx, { added }) => stored(tx, added));
        } catch (error) {
          if (error instanceof Refusal && error.code === 'unknown-list') throw new ListGone('mailing');
          throw error;
        }
      },
    });
  }
}
