import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { importConsentFields, importConsentOf } from '../../../api/v1/consent-fields.ts';
import {
  columnChoice,
  csvUpload,
  existingChoice,
  exportedFile,
  exportRoutes,
  headerChoice,
  importAnswer,
  listsPage,
  showImport,
} from '../../../api/v1/csv-fields.ts';
import { idOf, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';

const importQuery = z.object({
  header: headerChoice,
  columns: columnChoice,
  existing: existingChoice('keep'),
  ...importConsentFields(['sms', 'voice', 'chat', 'any']),
});

/** A contact list in responses. */
export const listAnswer = z.object({
  id: out.id('Id of the list, `cl_id` in the SMS API.', '1774337460000002'),
  name: out.text('Name of the list.', 'Customers'),
  columns: out.texts('Names of the dynamic fields.', ['first name', 'town']),
  count: out.count('Number of contacts.', 1_200),
  created_at: out.instant('Time of creation, ISO 8601.'),
});
/** Formats a contact list for responses. */
export const showList = serializer(listAnswer);
export const idOfList = idOf('contact list', { refusals: ['unknown-list'] });

type ContactListsDeps = Pick<CoreContext, 'contactLists' | 'imports' | 'exports' | 'clock' | 'defaultZone'>;

const route = resource<ContactListsDeps>('contacts');

/** Contact lists: counts, imports and exports. */
export const contactListRoutes = [
  route('GET /v1/contact-lists', {
    access: reads('viewer', 'contacts'),
    operationId: 'listContactLists',
    title: 'List contact lists',
    description: 'Returns the lists in the order of their ids, without their numbers.',
    query: listsPage,
    answer: rowsAnswer('contact_lists', listAnswer),
    handler: async ({ accountId, query: { after, limit, search } }, { contactLists }) => ({
      contact_lists: (await contactLists.list(accountId, after, limit, search.trim())).map(showList),
    }),
  }),
  route('GET /v1/contact-lists/:id', {
    access: reads('viewer', 'contacts'),
    operationId: 'showContactList',
    title: 'Show a contact list',
    description: 'Returns one list, without its numbers.',
    id: idOfList,
    answer: listAnswer,
    handler: async ({ accountId, id }, { contactLists }) => showList(await contactLists.get(accountId, id)),
  }),
  ...exportRoutes({
    chapter: 'contacts',
    path: '/contact-lists',
    noun: 'contact list',
    id: idOfList,
    ids: { export: 'exportContactList', start: 'startExport' },
    description: 'Streams the list as CSV.',
    example: exportedFile,
    file: 'contacts',
  }),
  route('POST /v1/contact-lists/:id/import', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'importContacts',
    title: 'Import a CSV file into a contact list',
    description:
      'Imports the file in the request body in the background; the import survives restarts, and rejected rows are listed. The column with a name like `phone` has the numbers, otherwise the first column; up to six more columns become dynamic fields. `columns` chooses otherwise, and `existing` says what happens to contacts that are in the list already. With `consent_channel` the import records that its people agreed to messages; numbers on the blacklist stay there.',
    refusals: ['not-now', 'over-budget'],
    id: idOfList,
    query: importQuery,
    file: csvUpload,
    answer: importAnswer,
    status: 202,
    handler: async ({ accountId, account, caller, id, query, file }, { imports, clock, defaultZone }) => {
      const { header, columns, existing, ...given } = query;
      const consent = importConsentOf(given, {
        zone: account.timeZone ?? defaultZone,
        now: clock.now(),
        recordedBy: caller.session?.person.username,
      });
      const read = { header, columns, existing, consent };
      return showImport(await imports.receive(accountId, id, file, read), []);
    },
  }),
];
