import { z } from 'zod';
import { dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { csvUpload, headerChoice } from '../../../api/v1/csv-fields.ts';
import { pageAnswer, pageLimit, queryText } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { columnWords, mailColumnWords } from '../../../channels/mail/v1/column-words.ts';
import { badField } from '../../../kit/errors.ts';
import { displayNumber, type NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import type { RouteContext } from '../../../run/define-module.ts';
import { readSearch } from '../contact-search.ts';
import { type ColumnTarget, SAMPLE_BYTES } from '../csv-layout.ts';
import { listRecipients, type Recipient, readCursor } from '../recipients.ts';
import { MAX_COLUMNS, type PeoplePreview, previewPeople } from './import-preview.ts';

const MAX_ROWS = 200;
const MAX_CURSOR = 400;
/** The beginning of the file is enough; this has room for the longest row. */
const MAX_PREVIEW = 2 * SAMPLE_BYTES;

const listOfRecipient = z.object({
  id: out.text('Id of the list.', '1774337460000002'),
  name: out.text('Name of the list.', 'Customers'),
});
const recipientAnswer = z.object({
  phone: out.maybeText('Number; null without one.', '0501234567'),
  addresses: out.texts('Email addresses.', ['dana@example.com']),
  name: out.text('First and last name, from mailing lists; may be empty.', 'Dana Cohen'),
  fields: out.texts('Values of the dynamic fields in the first contact list.', ['Dana', 'Haifa']),
  contact_lists: z.array(listOfRecipient).describe('Contact lists with the number.'),
  mailing_lists: z.array(listOfRecipient).describe('Mailing lists with one of the addresses.'),
  blocked: out.flag('Whether the number is on the blacklist.', false),
});

const showLists = (lists: Recipient['contactLists']) =>
  lists.map(({ id, name }) => ({ id: String(id), name }));
const show = serializer(recipientAnswer, ({ phone, isBlocked, ...recipient }: Recipient) => ({
  phone: phone === null ? null : displayNumber(phone),
  addresses: [...recipient.addresses],
  fields: [...recipient.fields],
  contact_lists: showLists(recipient.contactLists),
  mailing_lists: showLists(recipient.mailLists),
  blocked: isBlocked,
}));

const recipientsPage = z.object({
  after: queryText(MAX_CURSOR)
    .default('')
    .refine((text) => readCursor(text) !== undefined, 'must be what `next` of the page before says')
    .describe('`next` of the previous page.'),
  limit: pageLimit(MAX_ROWS),
  search: queryText(100)
    .default('')
    .describe(
      'Part of a number, in any spelling, or of an address, a name or a dynamic field, regardless of case.',
    ),
});

const columnWordsOfPeople = columnWords(['phone', 'email', 'first_name', 'last_name']);
const contactColumnText = (target: ColumnTarget): string => (target === 0 ? '' : String(target));

const listId = z
  .string()
  .regex(/^\d{1,16}$/, 'must be the id of a list')
  .transform(Number)
  .optional();
const previewQuery = z.object({
  header: headerChoice,
  columns: z
    .string()
    .transform((text) => text.split(',').map((column) => column.trim()))
    .refine(
      (columns) => columns.length <= MAX_COLUMNS && columns.every(columnWordsOfPeople.isColumn),
      'must be like phone,email,first_name,last_name,,field:city',
    )
    .transform((columns) => columns.map(columnWordsOfPeople.read))
    .optional()
    .describe(
      'Columns of the file, in order: `phone`, `email`, `first_name`, `last_name`, `field:` and a name, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide.',
    ),
  contact_list: listId.describe(
    'Id of an existing contact list, for its dynamic fields and the contacts that it has already.',
  ),
  mailing_list: listId.describe('Id of an existing mailing list, for the users that it has already.'),
});
const previewAnswer = z.object({
  named: out.flag('Whether the first row has the names of the columns.', true),
  columns: z
    .array(
      z.object({
        name: out.maybeText('Name in the file.', 'phone'),
        target: out.text('Meaning, as in `columns` of the query; empty for a skipped column.', 'phone'),
        left_out: out.flag('Whether a contact has no dynamic field left for the column.', false),
      }),
    )
    .describe('Columns of the file, the first 200.'),
  contact_columns: out.maybeText(
    '`columns` for an import into the contact list; null without a column of numbers.',
    'phone,1,2',
  ),
  mail_columns: out.maybeText(
    '`columns` for an import into the mailing list; null without a column of addresses.',
    null,
  ),
  rows: z
    .array(
      z.object({
        line: out.count('Line of the file, from 1.', 2),
        cells: out.texts('Cells of the row, unchanged; the first 200.', ['0501234567', 'Dana', 'Haifa']),
        phone: out.maybeText('Number; null if the contact list does not get the row.', '0501234567'),
        phone_problem: out.maybeText('Reason why the contact list does not get the row.', null),
        in_contact_list: out.flag('Whether the number is in the contact list already.', false),
        address: out.maybeText(
          'Address, as it is compared; null if the mailing list does not get the row.',
          null,
        ),
        address_problem: out.maybeText('Reason why the mailing list does not get the row.', null),
        in_mailing_list: out.flag('Whether the address is in the mailing list already.', false),
      }),
    )
    .describe('First rows with data.'),
});

/** Which of the shown rows are in the chosen lists already. */
interface KnownRows {
  readonly phones: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

const showPreview = serializer(
  previewAnswer,
  ({ columns, rows, leftOut, ...of }: PeoplePreview & { readonly known: KnownRows }) => ({
    columns: columns.map(({ name, target }, index) => ({
      name,
      target: columnWordsOfPeople.write(target),
      left_out: leftOut.includes(index),
    })),
    contact_columns: of.contactColumns?.map(contactColumnText).join(',') ?? null,
    mail_columns: of.mailColumns?.map(mailColumnWords.write).join(',') ?? null,
    rows: rows.map(({ line, cells, phone, phoneProblem, address, addressProblem }) => ({
      line,
      cells: [...cells],
      phone: phone === null ? null : displayNumber(phone),
      phone_problem: phoneProblem,
      in_contact_list: phone !== null && of.known.phones.has(phone),
      address,
      address_problem: addressProblem,
      in_mailing_list: address !== null && of.known.addresses.has(address),
    })),
  }),
);

type RecipientsDeps = Pick<RouteContext, 'sql' | 'blacklist' | 'contactLists' | 'listUsers'> & {
  readonly numbers: NumberReader;
};

const route = resource<RecipientsDeps>('contacts', {
  'what the file of the caller contains': ['cells', 'contact_columns', 'mail_columns'],
  'reasons of the service': ['phone_problem', 'address_problem'],
});

/** Recipients of an account, whatever lists they are in. */
export const recipientRoutes = [
  route('GET /v1/recipients', {
    access: reads('viewer', 'contacts'),
    operationId: 'listRecipients',
    title: 'List recipients',
    description:
      'Lists the people of all contact lists and mailing lists, each one once: first those with a number in a contact list, in the order of the numbers, then other users of mailing lists, in the order of their addresses. A user whose phone is such a number is the same person. A page may have fewer rows than `limit` although another one follows.',
    query: recipientsPage,
    answer: pageAnswer('recipients', recipientAnswer),
    handler: async ({ accountId, query: { after, limit, search } }, deps) => {
      const cursor = readCursor(after)!;
      const page = await listRecipients(deps, accountId, readSearch(search, deps.numbers), cursor, limit);
      return { recipients: page.rows.map(show), next: page.next };
    },
  }),
  route('POST /v1/recipients/preview', {
    access: dailyWork(reads('sender', 'contacts')),
    operationId: 'previewRecipients',
    title: 'Preview an import of people',
    description: `Reads the first ${SAMPLE_BYTES / 1024} KiB of the file in the request body and returns its columns and first rows, as imports into a contact list and a mailing list would read them, with the \`columns\` of these imports. Stores nothing.`,
    query: previewQuery,
    file: { ...csvUpload, maxBytes: MAX_PREVIEW },
    answer: previewAnswer,
    handler: async ({ accountId, query, bytes }, deps) => {
      const { header, columns, contact_list: contactList, mailing_list: mailList } = query;
      if (
        columns &&
        new Set(columns.map(columnWordsOfPeople.write).filter(Boolean)).size < columns.filter(Boolean).length
      )
        throw badField('columns', 'two of them are the same', 'same-columns');
      const list = contactList && (await deps.contactLists.find(accountId, [contactList])).get(contactList);
      const { numbers } = deps;
      const preview = await previewPeople(bytes, {
        header,
        columns,
        fields: list ? list.columns : [],
        numbers,
      });
      const { rows } = preview;
      const phones = rows.flatMap(({ phone }) => phone ?? []);
      const addresses = rows.flatMap(({ address }) => address ?? []);
      const known = {
        phones: list ? await deps.contactLists.has(accountId, list.id, phones) : new Set<string>(),
        addresses:
          (mailList !== undefined && (await deps.listUsers?.has(accountId, mailList, addresses))) ||
          new Set<string>(),
      };
      return showPreview({ ...preview, known });
    },
  }),
];
