import { z } from 'zod';
import { type Contact, MAX_LIST_NAME } from '../../audience/contact-lists.ts';
import { FIELDS, MAX_FIELD } from '../../audience/contact-rows.ts';
import { type ColumnTarget, MAX_NAME, SAMPLE_BYTES } from '../../audience/csv-layout.ts';
import type { CsvPreview } from '../../audience/csv-preview.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { columnChoice, csvUpload, headerChoice } from '../../interfaces/v1/csv-fields.ts';
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
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { displayNumber } from '../../numbers/numbers.ts';
import { idOfList, listAnswer, showList } from './lists.ts';
import { prefixOf } from './phone-prefix.ts';

const MAX_ROWS = 500;
const MAX_CONTACTS = 10_000;
/** Room for the longest row; the file's beginning is enough. */
const MAX_PREVIEW = 2 * SAMPLE_BYTES;

const contactsPage = z.object({
  after: afterDigits,
  limit: pageLimit(MAX_ROWS),
  phone: queryText(30)
    .default('')
    .describe('A number, in any spelling, or its first digits: what begins with it.'),
});
const search = z.object({
  phone: field(
    z.string('missing').min(1, 'missing').max(30, 'over 30 characters'),
    'A number in any spelling.',
    '0501234567',
  ),
});
const previewQuery = z.object({ header: headerChoice, columns: columnChoice });

const fields = answered(
  z.array(z.string().nullable()),
  'Its dynamic fields, in the order of the columns of the list.',
  ['Dana', 'Haifa'],
);
const contactAnswer = z.object({ phone: out.text('The number.', '0501234567'), fields });
const previewAnswer = z.object({
  separator: out.text('Comma, semicolon or tab.', ','),
  named: out.flag('Whether the first row has the names of the columns.', true),
  columns: z
    .array(
      z.object({
        name: out.maybeText('Its name in the file.', 'phone'),
        target: out.maybeText(
          '`phone`, the number of the dynamic field that it is, or null: it is left out.',
          'phone',
        ),
      }),
    )
    .describe('The columns of the file.'),
  too_many_columns: out.flag(
    'It has more columns than a contact has fields: without `columns` it cannot be imported.',
    false,
  ),
  rows: z
    .array(
      z.object({
        line: out.count('Line of the file, the first is 1.', 2),
        fields: out.texts('As they stand in the file.', ['0501234567', 'Dana', 'Haifa']),
        phone: out.maybeText('The number; null when the row cannot be used.', '0501234567'),
        problem: out.maybeText('Why it cannot be used.', null),
      }),
    )
    .describe('The first rows with data.'),
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

const name = field(requiredText(MAX_LIST_NAME), 'What people call it.', 'Customers');
const columns = field(
  z
    .array(text.trim().max(MAX_NAME, `over ${MAX_NAME} characters`), 'must be a list')
    .max(FIELDS, `more than ${FIELDS} entries`),
  'The names of the dynamic fields, in their order; empty for one without a name.',
  ['first name', 'town'],
);
const newList = z.object({ name, columns: columns.optional() });
const changes = z.object({ name: name.optional(), columns: columns.optional() });
const phone = field(text.min(1, 'missing'), 'A number in any spelling.', '0501234567');
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
          'Its dynamic fields.',
          ['Dana', 'Haifa'],
        ),
      }),
      'must be a list',
    )
    .min(1, 'missing')
    .max(MAX_CONTACTS, `more than ${MAX_CONTACTS} entries`)
    .describe('The contacts; one that the list has already stays as it is, without `replace`.'),
  replace: field(flag.default(false), 'Whether contacts that the list has already get these fields.', false),
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

/** Contacts one by one, and what people do with contact lists. */
export const contactRoutes = [
  route('GET /v1/contacts', {
    operationId: 'findContact',
    title: 'Find a number in contact lists',
    description: 'Each with what it has about the number.',
    query: search,
    answer: z.object({ lists: z.array(listAnswer.extend({ fields })) }),
    handler: async ({ accountId, query }, deps) => {
      const digits = readPhone(deps, query.phone, 'phone');
      const found = await deps.contactLists.holding(accountId, digits);
      return {
        lists: found.map(({ list, contact }) => ({ ...showList(list), fields: upTo(list.width, contact) })),
      };
    },
  }),
  route('GET /v1/contact-lists/:id/contacts', {
    operationId: 'listContacts',
    title: 'List contacts',
    description: 'In the order of their numbers, or those that begin with what is looked for.',
    id: idOfList,
    query: contactsPage,
    answer: pageAnswer('contacts', contactAnswer),
    handler: async ({ accountId, id, query: { after, limit, phone } }, { contactLists, numbers }) => {
      const list = await contactLists.get(accountId, id);
      const prefix = prefixOf(phone, numbers);
      const shown = (contact: Contact) => ({
        phone: displayNumber(contact.phone),
        fields: upTo(list.width, contact),
      });
      return pageOf(
        'contacts',
        shown,
        readPage(
          limit,
          (most) => contactLists.browse(accountId, list.id, after, most, prefix),
          (contact) => contact.phone,
        ),
      );
    },
  }),
  route('POST /v1/contact-lists', {
    operationId: 'createContactList',
    title: 'Create a contact list',
    description: 'An empty one.',
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
    operationId: 'renameContactList',
    title: 'Rename a contact list or its fields',
    description: 'Fields that are not given stay.',
    id: idOfList,
    body: changes,
    answer: listAnswer,
    handler: async ({ accountId, id, body: given }, { contactLists }) =>
      showList(await contactLists.rename(accountId, id, given)),
  }),
  route('POST /v1/contact-lists/:id/contacts', {
    operationId: 'addContacts',
    title: 'Add contacts to a list, or change them',
    description:
      'All of them or, when one cannot be read, none. With `replace` the fields of contacts that are there already are replaced.',
    id: idOfList,
    body: toAdd,
    answer: z.object({
      added: out.count('How many were added.', 1),
      present: out.count('How many the list had already.', 0),
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
    operationId: 'removeContacts',
    title: 'Remove contacts from a list',
    description: 'All of them or, when one cannot be read, none.',
    id: idOfList,
    body: toRemove,
    answer: z.object({
      removed: out.count('How many were taken out.', 1),
      absent: out.count('How many the list did not have.', 0),
    }),
    handler: async ({ accountId, id: listId, body: { phones } }, deps) => {
      const entries = [...new Set(phones.map((phone, index) => readPhone(deps, phone, `phones[${index}]`)))];
      const [removed] = await deps.contactLists.take(accountId, [{ listId, entries }]);
      if (!removed) throw new Refusal('unknown-list', 'no such contact list');
      return { removed: removed.length, absent: entries.length - removed.length };
    },
  }),
  route('DELETE /v1/contact-lists/:id', {
    operationId: 'removeContactList',
    title: 'Delete a contact list',
    description: 'With its contacts.',
    id: idOfList,
    handler: async ({ accountId, id }, { contactLists }) => {
      const removed = await contactLists.remove(accountId, [id]);
      if (removed.length === 0) throw new Refusal('unknown-list', 'no such contact list');
    },
  }),
  route('POST /v1/contact-lists/:id/preview', {
    operationId: 'previewImport',
    title: 'Preview an import',
    description: `The body is the file or its beginning, of which ${SAMPLE_BYTES / 1024} KiB are read. Nothing is stored.`,
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
  if (!number)
    throw new Refusal('bad-field', 'too short, too long or not a phone number', path, {
      reason: 'not-a-phone',
    });
  return number.digits;
}

/** The fields that the list has, though a contact may have set fewer. */
function upTo(width: number, { fields }: Contact): (string | null)[] {
  return fields.slice(0, width);
}
