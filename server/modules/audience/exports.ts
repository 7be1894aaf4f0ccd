import type { Sql } from '../../database/connection.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import type { ContactLists } from './contact-lists.ts';
import type { Contact } from './contact-rows.ts';
import type { CsvJobs } from './csv-jobs.ts';
import { ListExports } from './csv-outlet.ts';

interface ContactExportsDeps {
  readonly sql: Sql;
  readonly jobs: CsvJobs;
  readonly lists: ContactLists;
}

/** Exports contact lists: the phone, and the dynamic fields that the list has ever had, under their names. */
export const contactExports = (deps: ContactExportsDeps): ListExports<Contact> =>
  new ListExports(deps, {
    audience: 'contacts',
    async layoutOf(accountId, listId) {
      const { width, columns } = await deps.lists.get(accountId, listId);
      const length = Math.max(width, columns.length);
      return { columns: Array.from({ length }, (_, index) => columns[index] || `df${index + 1}`) };
    },
    namesOf: ({ columns }) => ['phone', ...columns],
    page: (accountId, listId, after, limit) => deps.lists.wholePage(accountId, listId, after, limit),
    cursorOf: ({ phone }) => phone,
    cellsOf: ({ phone, fields }, { columns }) => [displayNumber(phone), ...fields.slice(0, columns.length)],
  });
