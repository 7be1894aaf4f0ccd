import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { columnChoice, csvUpload, headerChoice } from '../../../api/v1/csv-fields.ts';
import {
  afterDigits,
  field,
  flag,
  pageAnswer,
  pageLimit,
  pageOf,
  queryText,
  readPage,
  requiredText,
  text,
  textUpTo,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import type { CoreContext } from '../../../run/services.ts';
import { type Contact, MAX_LIST_NAME } from '../contact-lists.ts';
import { FIELDS, MAX_FIELD } from '../contact-rows.ts';
import { type ColumnTarget, MAX_NAME, SAMPLE_BYTES } from '../csv-layout.ts';
import type { CsvPreview } from '../csv-preview.ts';
import { readPart } from '../number-part.ts';
import { idOfList, listAnswer, showList } from './lists.ts';

const MAX_ROWS = 500;
const MAX_CONTACTS = 10_000;
/** The beginning of the file is enough; this has room for the longest row. */
const MAX_PREVIEW = 2 * SAMPLE_BYTES;

const contactsPage = z.object({
  after: afterDigits,
  limit: pageLimit(MAX_ROWS),
  phone: queryText(30).default('').describe('Number in any spelling, or some of its digits, to filter by.'),
});
const search = z.object({
  phone: field(
    z.string('missing').min(1, 'missing').max(30, 'over 30 characters'),
    'Number in any spelling.',
    '0501234567',
  ),
});
const previewQuery = z.object({ header: headerChoice, columns: columnChoice });

const fields = answered(
  z.array(z.string().nullable()),
  'Dynamic fields, in the order of the columns of the list.',
  ['Dana', 'Haifa'],
);
const contactAnswer = z.object({ phone: out.text('Number.', '0501234567'), fields });
const previewAnswer = z.object({
  separator: out.text('Delimiter: comma, semicolon or tab.', ','),
  named: out.flag('Whether the first row has the names of the columns.', true),
  columns: z
    .array(
      z.object({
        name: out.maybeText('Name in the file.', 'phone'),
        target: out.maybeText(
          '`phone`, the number of a dynamic field, or null for a skipped column.',
          'phone',
        ),
      }),
    )
    .describe('Columns of the file.'),
  too_many_columns: out.flag(
    'Whether the file has more columns than a contact has fields, so that an import requires `columns`.',
    false,
  ),
  rows: z
    .array(
      z.object({
        line: out.count('Line of the file, from 1.', 2),
        fields: out.texts('Cells of the row, unchanged.', ['0501234567', 'Dana', 'Haifa']),
        phone: out.maybeText('Number; null if the row cannot be used.', '0501234567'),
        problem: out.maybeText('Reason why the row cannot be used.', null),
      }),
    )
    .describe('First rows with data.'),
});

const targetOf = (target: ColumnTarget): string | null => (target === 0 ? null : String(target));

const showPreview = serializer(previewAnswer, (preview: CsvPreview) => ({
  columns: preview.columns.map(({ name, target }) => ({ name, target: targetOf(target) })),
  rows: preview.rows.map((row) => ({
    ...row,
    fields: [...row.fields],
    phone: row.phone === null ? null : displayNumber(row.phone),
  })),
}));

const name = field(requiredText(MAX_LIST_NAME), 'Display name.', 'Customers');
const columns = field(
  z
    .array(text.trim().max(MAX_NAME, `over ${MAX_NAME} characters`), 'must be a list')
    .max(FIELDS, `more than ${FIELDS} entries`),
  'Names of the dynamic fields, in order; empty for a field without a name.',
  ['first name', 'town'],
);
const newList = z.object({ name, columns: columns.optional() });
const listChange = z.object({ name: name.optional(), columns: columns.optional() });
const phone = field(text.min(1, 'missing'), 'Number in any spelling.', '0501234567');
const toAdd = z.object({
  contacts: z
    .array(
      z.object({
        phone,
        fields: field(
          z
            .array(textUpTo(MAX_FIELD).nullable(), 'must be a list')
            .max(FIELDS, `more than ${FIELDS} entries`)
            .default([]),
          'Dynamic fields of the contact.',
          ['Dana', 'Haifa'],
        ),
      }),
      'must be a list',
    )
    .min(1, 'missing')
    .max(MAX_CONTACTS, `more than ${MAX_CONTACTS} entries`)
    .describe('Contacts; one that is in the list already stays unchanged without `replace`.'),
  replace: field(
    flag.default(false),
    'Whether contacts that are in the list already receive these fields.',
    false,
  ),
});
const toRemove = z.object({
  phones: field(
    z.array(phone, 'must be a list').min(1, 'missing').max(MAX_CONTACTS, `more than ${MAX_CONTACTS} entries`),
    'Numbers in any spelling.',
    ['0501234567'],
  ),
});

type ContactsDeps = Pick<CoreContext, 'contactLists' | 'imports' | 'numbers'>;

const route = resource<ContactsDeps>('contacts');

/** Single contacts, and edits of contact lists. */
export const contactRoutes = [
  route('GET /v1/contacts', {
    access: reads('viewer', 'contacts'),
    operationId: 'findContact',
    title: 'Find a number in contact lists',
    description: 'Returns the lists that contain a number, each with its fields for the number.',
    query: search,
    answer: z.object({ lists: z.array(listAnswer.extend({ fields })) }),
    handler: async ({ accountId, query }, deps) => {
      const digits = readPhone(deps, query.phone, 'phone');
      const found = (await deps.contactLists.holding(accountId, [digits])).get(digits) ?? [];
      return {
        lists: found.map(({ list, contact }) => ({ ...showList(list), fields: upTo(list.width, contact) })),
      };
    },
  }),
  route('GET /v1/contact-lists/:id/contacts', {
    access: reads('viewer', 'contacts'),
    operationId: 'listContacts',
    title: 'List contacts',
    description:
      'Lists the contacts in the order of their numbers, optionally filtered by a part of the number.',
    id: idOfList,
    query: contactsPage,
    answer: pageAnswer('contacts', contactAnswer),
    handler: async ({ accountId, id, query: { after, limit, phone } }, { contactLists, numbers }) => {
      const list = await contactLists.get(accountId, id);
      const part = readPart(phone, numbers);
      const shown = (contact: Contact) => ({
        phone: displayNumber(contact.phone),
        fields: upTo(list.width, contact),
      });
      return pageOf(
        'contacts',
        shown,
        readPage(
          limit,
          (most) => contactLists.browse(accountId, list.id, after, most, part),
          (contact) => contact.phone,
        ),
      );
    },
  }),
  route('POST /v1/contact-lists', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'createContactList',
    title: 'Create a contact list',
    description: 'Creates an empty list.',
    body: newList,
    answer: listAnswer,
    handler: async ({ accountId, body: { name, columns } }, { contactLists }) => {
      const [id] = await contactLists.create(accountId, [{ name, contacts: [] }]);
      return showList(
        columns
          ? await contactLists.rename(accountId, id!, { columns })
          : await contactLists.get(accountId, id!),
      );
    },
  }),
  route('PATCH /v1/contact-lists/:id', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'renameContactList',
    title: 'Rename a contact list or its fields',
    description: 'Updates the given fields.',
    id: idOfList,
    body: listChange,
    answer: listAnswer,
    handler: async ({ accountId, id, body: given }, { contactLists }) =>
      showList(await contactLists.rename(accountId, id, given)),
  }),
  route('POST /v1/contact-lists/:id/contacts', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'addContacts',
    title: 'Add or update contacts',
    description:
      'Adds all contacts, or none if one of them is invalid. With `replace` the fields of existing contacts are replaced.',
    id: idOfList,
    body: toAdd,
    answer: z.object({
      added: out.count('Number of added contacts.', 1),
      present: out.count('Contacts that were in the list already.', 0),
    }),
    handler: async ({ accountId, id: listId, body: { contacts: given, replace } }, deps) => {
      const contacts = new Map<string, Contact>();
      for (const [index, { phone, fields }] of given.entries()) {
        const digits = readPhone(deps, phone, `contacts[${index}].phone`);
        const values = fields.map((value) => value || null);
        if (!contacts.has(digits)) contacts.set(digits, { phone: digits, fields: values });
      }
      const entries = [...contacts.values()];
      const [added] = await deps.contactLists.add(accountId, [{ listId, entries }], replace);
      if (!added) throw new Refusal('unknown-list', 'no such contact list');
      return { added: added.length, present: entries.length - added.length };
    },
  }),
  route('POST /v1/contact-lists/:id/contacts/remove', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'removeContacts',
    title: 'Remove contacts from a list',
    description: 'Removes all given contacts, or none if one of them is invalid.',
    id: idOfList,
    body: toRemove,
    answer: z.object({
      removed: out.count('Number of removed contacts.', 1),
      absent: out.count('Contacts that were not in the list.', 0),
    }),
    handler: async ({ accountId, id: listId, body: { phones } }, deps) => {
      const entries = [...new Set(phones.map((phone, index) => readPhone(deps, phone, `phones[${index}]`)))];
      const [removed] = await deps.contactLists.take(accountId, [{ listId, entries }]);
      if (!removed) throw new Refusal('unknown-list', 'no such contact list');
      return { removed: removed.length, absent: entries.length - removed.length };
    },
  }),
  route('DELETE /v1/contact-lists/:id', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'removeContactList',
    title: 'Delete a contact list',
    description: 'Deletes the list with its contacts.',
    id: idOfList,
    handler: async ({ accountId, id }, { contactLists }) => {
      const removed = await contactLists.remove(accountId, [id]);
      if (removed.length === 0) throw new Refusal('unknown-list', 'no such contact list');
    },
  }),
  route('POST /v1/contact-lists/:id/preview', {
    access: dailyWork(reads('sender', 'contacts')),
    operationId: 'previewImport',
    title: 'Preview an import',
    description: `Reads the first ${SAMPLE_BYTES / 1024} KiB of the file in the request body and returns its columns and first rows. Stores nothing.`,
    id: idOfList,
    query: previewQuery,
    file: { ...csvUpload, maxBytes: MAX_PREVIEW },
    answer: previewAnswer,
    handler: async ({ accountId, id, query: { header, columns }, bytes }, { imports }) =>
      showPreview(await imports.preview(accountId, id, bytes, header, columns)),
  }),
];

function readPhone({ numbers }: ContactsDeps, given: string, path: string): string {
  const number = numbers.parse(given);
  if (!number) throw badField(path, 'too short, too long or not a phone number', 'not-a-phone');
  return number.digits;
}

/** Returns all fields of the list, even if the contact has fewer. */
function upTo(width: number, { fields }: Contact): (string | null)[] {
  return fields.slice(0, width);
}
