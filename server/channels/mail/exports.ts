import type { Sql } from '../../database/connection.ts';
import { ListGone } from '../../modules/audience/contact-rows.ts';
import type { CsvJobs } from '../../modules/audience/csv-jobs.ts';
import { ListExports } from '../../modules/audience/csv-outlet.ts';
import { exportedNames } from './csv-layout.ts';
import type { MailLists } from './lists.ts';
import { fieldsOf, type MailMember, type MailUsers } from './users.ts';

interface MailExportsDeps {
  readonly sql: Sql;
  readonly jobs: CsvJobs;
  readonly lists: MailLists;
  readonly users: MailUsers;
}

/** Exports mailing lists: all users with their status and fields. */
export const mailExports = (deps: MailExportsDeps): ListExports<MailMember> =>
  new ListExports(deps, {
    audience: 'mail',
    async layoutOf(accountId, listId) {
      const { columns } = await deps.lists.get(accountId, listId);
      return { columns };
    },
    namesOf: ({ columns }) => [...exportedNames, ...columns],
    async page(accountId, listId, after, limit) {
      const members = await deps.users.members(accountId, listId, 'all', Number(after), limit);
      if (!(await deps.lists.find(accountId, [listId])).has(listId)) throw new ListGone('mailing');
      return members;
    },
    cursorOf: ({ id }) => String(id),
    cellsOf(member, { columns }) {
      const own = new Map(fieldsOf(member));
      const { address, firstName, lastName, cellphone, status, pending } = member;
      const shown = pending && status === 'active' ? 'waiting' : status;
      return [
        address,
        firstName,
        lastName,
        cellphone,
        shown,
        ...columns.map((column) => own.get(column) ?? ''),
      ];
    },
  });
