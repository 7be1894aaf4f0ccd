import { createHash } from 'node:crypto';
import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import { importConsentFields, importConsentOf } from '../../../api/v1/consent-fields.ts';
import {
  csvUpload,
  existingChoice,
  exportRoutes,
  headerChoice,
  importAnswer,
  listsPage,
  showImport,
} from '../../../api/v1/csv-fields.ts';
import { field, flag, idOf, requiredText, rowsAnswer, text } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CsvJob } from '../../../modules/audience/csv-jobs.ts';
import type { ListExports } from '../../../modules/audience/csv-outlet.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { MailImports } from '../imports.ts';
import type { MailList, MailLists } from '../lists.ts';
import { isOneLine, MAX_DESCRIPTION, MAX_LIST_NAME } from '../user-input.ts';
import type { MailMember } from '../users.ts';
import { mailColumnWords } from './column-words.ts';

const importQuery = z.object({
  header: headerChoice,
  columns: z
    .string()
    .transform((text) => text.split(',').map((column) => column.trim()))
    .refine((columns) => columns.every(mailColumnWords.isColumn), {
      error: 'must be like email,first_name,last_name,cellphone,,field:city',
    })
    .transform((columns) => columns.map(mailColumnWords.read))
    .optional()
    .describe(
      'Columns of the file, in order: `email`, `first_name`, `last_name`, `cellphone`, `field:` and a name, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide.',
    ),
  existing: existingChoice('update'),
  ...importConsentFields(['mail', 'any']),
});

const name = field(
  requiredText(MAX_LIST_NAME).refine(isOneLine, because('must be one line', 'not-one-line')),
  'Name of the list.',
  'Newsletter',
);
const description = field(
  text.trim().max(MAX_DESCRIPTION, `over ${MAX_DESCRIPTION} characters`),
  'Description of the list.',
  'News once a month',
);
const confirm = field(
  flag,
  'Whether new users confirm their subscription by a link in an email (double opt-in).',
  false,
);
const track = field(flag, 'Whether opens and clicks of emails to the list are counted.', true);
const newList = z.object({
  name,
  description: description.optional(),
  confirm: confirm.optional(),
  track: track.optional(),
});
const listChange = newList.partial();

const mailListAnswer = z.object({
  id: out.id('Id of the list, `ExistingListID` in the mailing-list API.', '17'),
  name: out.text('Name of the list.', 'Newsletter'),
  description: out.text('Description of the list; may be empty.', 'News once a month'),
  confirm: out.flag('Whether new users confirm their subscription.', false),
  track: out.flag('Whether opens and clicks are counted.', true),
  columns: out.texts('Names of the fields of its users.', ['city']),
  users: out.count('Users of the list.', 1_000),
  active: out.count('Users that receive email.', 950),
  created_at: out.instant('Time of creation, ISO 8601.'),
});
const showMailList = serializer(mailListAnswer, ({ userCount, activeCount }: MailList) => ({
  users: userCount,
  active: activeCount,
}));
export const idOfMailList = idOf('mailing list', { refusals: ['unknown-list'] });
const exported =
  'email,first name,last name,cellphone,status,city\r\ndana@example.com,Dana,Cohen,,active,Haifa\r\n';

interface MailListsDeps extends Pick<CoreContext, 'clock' | 'defaultZone'> {
  readonly lists: MailLists;
  readonly imports: MailImports;
  readonly exports: ListExports<MailMember>;
}

const route = resource<MailListsDeps>('mail');

/** Mailing lists: settings, counts, imports and exports. */
export const mailListRoutes = [
  route('POST /v1/mail/lists', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'newMailList',
    title: 'Create a mailing list with settings',
    description: 'Creates a list without users. Names need not be unique.',
    body: newList,
    answer: mailListAnswer,
    handler: async ({ accountId, body }, { lists }) => showMailList(await lists.create(accountId, body)),
  }),
  route('PATCH /v1/mail/lists/:id', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'changeMailList',
    title: 'Change a mailing list',
    description:
      'Updates the given fields. Turning on `confirm` does not ask users who are in the list already; turning it off does not confirm users who have not confirmed.',
    id: idOfMailList,
    body: listChange,
    answer: mailListAnswer,
    handler: async ({ accountId, id, body }, { lists }) =>
      showMailList(await lists.change(accountId, id, body)),
  }),
  route('GET /v1/mail/lists', {
    access: reads('viewer', 'contacts'),
    operationId: 'listMailLists',
    title: 'List mailing lists',
    description: 'Returns the lists in the order of their ids, without their users.',
    query: listsPage,
    answer: rowsAnswer('lists', mailListAnswer),
    handler: async ({ accountId, query: { after, limit, search } }, { lists }) => ({
      lists: (await lists.list(accountId, after, limit, search.trim())).map(showMailList),
    }),
  }),
  route('GET /v1/mail/lists/:id', {
    access: reads('viewer', 'contacts'),
    operationId: 'showMailList',
    title: 'Show a mailing list',
    description: 'Returns one list, without its users.',
    id: idOfMailList,
    answer: mailListAnswer,
    handler: async ({ accountId, id }, { lists }) => showMailList(await lists.get(accountId, id)),
  }),
  route('POST /v1/mail/lists/:id/empty', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'emptyMailList',
    title: 'Empty a mailing list',
    description:
      'Removes all users from the list immediately. Users who are in no other list are deleted in the background; unsubscribed and bounced addresses stay recorded.',
    id: idOfMailList,
    handler: async ({ accountId, id }, { lists }) => {
      await lists.empty(accountId, [id]);
    },
  }),
  route('DELETE /v1/mail/lists/:id', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'removeMailList',
    title: 'Delete a mailing list',
    description: 'Deletes the list immediately. Its users are handled as when a list is emptied.',
    id: idOfMailList,
    handler: async ({ accountId, id }, { lists }) => {
      await lists.remove(accountId, id);
    },
  }),
  ...exportRoutes({
    chapter: 'mail',
    path: '/mail/lists',
    noun: 'mailing list',
    id: idOfMailList,
    ids: { export: 'exportMailList', start: 'startMailExport' },
    description: 'Streams all users of the list with their status as CSV.',
    example: exported,
    file: 'mailing-list',
  }),
  route('POST /v1/mail/lists/:id/import', {
    access: withoutProof(sends(changes('sender', 'contacts'))),
    operationId: 'importMailUsers',
    title: 'Import a CSV file into a mailing list',
    description:
      'Imports the file in the request body in the background; the import survives restarts, and `/v1/imports/{id}` has its progress. The column with a name like `email` has the address, otherwise the first column. First name, last name and phone are found by their names, and each other column becomes a field with its name. `columns` chooses otherwise. Existing users keep values that the file does not have, or all with `existing=keep`. With `consent_channel` the import records that its people agreed to email; users who unsubscribed stay unsubscribed.',
    refusals: ['not-now', 'over-budget'],
    id: idOfMailList,
    query: importQuery,
    file: {
      description: csvUpload.description,
      example: 'email,first name,city\r\ndana@example.com,Dana,Haifa\r\n',
    },
    answer: importAnswer,
    status: 202,
    handler: async (
      { accountId, account, caller, id, query, file, once },
      { imports, clock, defaultZone },
    ) => {
      const { header, columns, existing, ...given } = query;
      const consent = importConsentOf(given, {
        zone: account.timeZone ?? defaultZone,
        now: clock.now(),
        recordedBy: caller.session?.person.username,
      });
      const layout = { header, columns, existing, consent };
      const show = (job: CsvJob) => showImport(job, []);
      const act = async (use: SendKeyUse | undefined) => {
        const read = use ? digested(file, (digest) => use.complete(digest)) : file;
        return show(await imports.receive(accountId, id, read, { ...layout, sendKey: use?.answering(show) }));
      };
      return once(act, { content: query, hasStream: true });
    },
  }),
];

/** Yields the pieces of a file; after the last one calls `told` with its SHA-256. */
async function* digested(file: AsyncIterable<Buffer>, told: (digest: Buffer) => void) {
  const hash = createHash('sha256');
  for await (const piece of file) {
    hash.update(piece);
    yield piece;
  }
  told(hash.digest());
}
