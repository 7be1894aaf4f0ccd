import { ListGone } from '../../audience/contact-rows.ts';
import type { CsvJob, CsvJobs, ExportRequester } from '../../audience/csv-jobs.ts';
import type { ExportLayout } from '../../audience/csv-layout.ts';
import { STEP, writeTurn } from '../../audience/csv-outlet.ts';
import type { Sql } from '../../database/connection.ts';
import { type CsvChunk, writeCsv } from '../../text/csv.ts';
import { exportedNames } from './csv-layout.ts';
import type { MailLists } from './lists.ts';
import { fieldsOf, type MailMember, type MailUsers } from './users.ts';

/** Exports mailing lists as CSV, all users with their status: at once, or as a file to be fetched later. */
export class MailExports {
  readonly #sql: Sql;
  readonly #jobs: CsvJobs;
  readonly #lists: MailLists;
  readonly #users: MailUsers;

  constructor(parts: { sql: Sql; jobs: CsvJobs; lists: MailLists; users: MailUsers }) {
    this.#sql = parts.sql;
    this.#jobs = parts.jobs;
    this.#lists = parts.lists;
    this.#users = parts.users;
  }

  /**
   * A list as a CSV file, as it is read from the database. Throws Refusal `unknown-list`; the file throws ListGone when
   * the list is removed before its end.
   */
  async stream(accountId: number, listId: number): Promise<AsyncGenerator<CsvChunk>> {
    const { columns } = await this.#lists.get(accountId, listId);
    return this.#write(accountId, listId, { columns });
  }

  /** Makes an export that waits for its turn. Throws Refusal `unknown-list` or `too-fast` (five are under way). */
  async start(accountId: number, listId: number, by: ExportRequester): Promise<CsvJob> {
    const { columns } = await this.#lists.get(accountId, listId);
    return this.#jobs.create(accountId, listId, { columns }, 'mail', by);
  }

  /** Works on a leased export for one turn. Throws JobLost when it was stopped meanwhile, and ListGone. */
  async turn(job: CsvJob): Promise<void> {
    const layout = job.layout as ExportLayout;
    await writeTurn({ sql: this.#sql, jobs: this.#jobs }, job, async (after, first) => {
      const members = await this.#page(job.account_id, job.list_id, Number(after));
      const last = members.at(-1)?.id;
      return {
        data: writeMembers(layout, members, first),
        rows: members.length,
        after: last === undefined ? undefined : String(last),
      };
    });
  }

  async *#write(accountId: number, listId: number, layout: ExportLayout): AsyncGenerator<CsvChunk> {
    for (let after = 0, first = true; ; first = false) {
      const members = await this.#page(accountId, listId, after);
      yield { data: writeMembers(layout, members, first), rows: members.length };
      if (members.length < STEP) return;
      after = members.at(-1)!.id;
    }
  }

  async #page(accountId: number, listId: number, after: number): Promise<MailMember[]> {
    const members = await this.#users.members(accountId, listId, 'all', after, STEP);
    if (!(await this.#lists.find(accountId, [listId])).has(listId)) throw new ListGone('mailing');
    return members;
  }
}

function writeMembers({ columns }: ExportLayout, members: readonly MailMember[], first: boolean): Buffer {
  const rows = members.map((member) => {
    const own = new Map(fieldsOf(member));
    const { address, firstName, lastName, cellphone, status, pending } = member;
    return [
      address,
      firstName,
      lastName,
      cellphone,
      pending && status === 'active' ? 'waiting' : status,
      ...columns.map((column) => own.get(column) ?? ''),
    ];
  });
  return writeCsv(first ? [[...exportedNames, ...columns], ...rows] : rows, first);
}
