import { ListGone } from '../../audience/contact-rows.ts';
import { CsvIntake } from '../../audience/csv-intake.ts';
import type { CsvJob, CsvJobs } from '../../audience/csv-jobs.ts';
import type { HeaderChoice } from '../../audience/csv-layout.ts';
import type { CsvReader, CsvRow } from '../../audience/csv-reader.ts';
import type { RefusalReason } from '../../audience/csv-refusals.ts';
import type { Sql } from '../../database/connection.ts';
import { Refusal } from '../../errors.ts';
import { type SendKey, storeSendKey } from '../../send-keys/send-keys.ts';
import type { MailAdditions } from './additions.ts';
import { type MailColumn, type MailCsvLayout, readMailLayout, readMailRow } from './csv-layout.ts';
import type { MailLists } from './lists.ts';
import type { UserInput } from './user-changes.ts';

/** Imports CSV files into mailing lists, as contact lists are (server/audience/imports.ts). */
export class MailImports {
  readonly #sql: Sql;
  readonly #jobs: CsvJobs;
  readonly #lists: MailLists;
  readonly #additions: MailAdditions;
  readonly #intake: CsvIntake;

  constructor(parts: { sql: Sql; jobs: CsvJobs; lists: MailLists; additions: MailAdditions }) {
    this.#sql = parts.sql;
    this.#jobs = parts.jobs;
    this.#lists = parts.lists;
    this.#additions = parts.additions;
    this.#intake = new CsvIntake(parts);
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
    await this.#lists.get(accountId, listId);
    const job = await this.#jobs.create(accountId, listId, null, 'mail');
    return this.#intake.receive(job, file, async (sample) => {
      const start = await readMailLayout(sample, options.header, options.columns);
      await this.#sql.begin(async (tx) => {
        const received = await this.#jobs.received(tx, job, start);
        await storeSendKey(tx, accountId, options.sendKey, received);
      });
    });
  }

  /** Works on a leased import for one turn. Throws JobLost when it was stopped meanwhile, ListGone and NotCsv. */
  async turn(job: CsvJob): Promise<void> {
    const layout = job.layout as MailCsvLayout;
    await this.#intake.turn(job, layout.separator, (reader, rows) => this.#take(job, layout, reader, rows));
  }

  async #take(job: CsvJob, layout: MailCsvLayout, reader: CsvReader, rows: readonly CsvRow[]): Promise<void> {
    const users: UserInput[] = [];
    const refused: { line: number; reason: RefusalReason }[] = [];
    for (const { line, fields } of rows) {
      const row = typeof fields === 'string' ? fields : readMailRow(fields, layout);
      if (row === undefined) continue;
      if (typeof row === 'string') refused.push({ line, reason: row });
      else users.push(row);
    }
    try {
      await this.#additions.addWith(job.account_id, [job.list_id], users, async (tx, { added }) => {
        await this.#jobs.refuse(tx, job, refused);
        await this.#jobs.progress(tx, job, {
          position: reader.position,
          line: reader.line,
          rows: users.length + refused.length,
          added,
          present: users.length - added,
          refused: refused.length,
        });
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unknown-list') throw new ListGone('mailing');
      throw error;
    }
  }
}
