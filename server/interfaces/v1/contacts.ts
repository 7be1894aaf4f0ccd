import { z } from 'zod';
import { type Contact, type ContactLists, LIST_NAME_MOST } from '../../audience/contact-lists.ts';
import { FIELD_MOST, FIELDS } from '../../audience/contact-rows.ts';
import { type ColumnTarget, NAME_MOST, SAMPLE_BYTES } from '../../audience/csv-layout.ts';
import type { CsvPreview } from '../../audience/csv-preview.ts';
import type { Imports } from '../../audience/imports.ts';
import { Refusal } from '../../errors.ts';
import { displayNumber, type NumberReader } from '../../numbers/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { listAnswer, pathOfList, showList } from './contact-lists.ts';
import { columnChoice, csvFile, headerChoice } from './csv-answers.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { done, doneAnswer, next } from './fields.ts';
import { withBody } from './json-body.ts';
import { prefixOf } from './phone-prefix.ts';

const ROWS_MOST = 500;
const CONTACTS_MOST = 10_000;
/** Room for the longest row; the file's beginning is enough. */
const PREVIEW_MOST = 2 * SAMPLE_BYTES;

const page = z.object({
  after: z
    .string()
    .regex(/^\d{0,16}$/, 'must be what `next` of the page before says')
    .default('')
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
  phone: z
    .string()
    .max(30, 'over 30 characters')
    .default('')
    .describe('A number, in any spelling, or its first digits: what begins with it.'),
});
const search = z.object({
  phone: z
    .string('missing')
    .min(1, 'missing')
    .max(30, 'over 30 characters')
    .meta({ description: 'A number in any spelling.', examples: ['0501234567'] }),
});
const previewQuery = z.object({ header: headerChoice, columns: columnChoice });

const fields = answered(
  z.array(z.string().nullable()),
  'Its dynamic fields, in the order of the columns of the list.',
  ['Dana', 'Haifa'],
);
const contactAnswer = z.object({ phone: answered(z.string(), 'The number.', '0501234567'), fields });
const previewAnswer = z.object({
  separator: answered(z.string(), 'Comma, semicolon or tab.', ','),
  named: answered(z.boolean(), 'Whether the first row has the names of the columns.', true),
  columns: z
    .array(
      z.object({
        name: answered(z.string().nullable(), 'Its name in the file.', 'phone'),
        target: answered(
          z.string().nullable(),
          '`phone`, the number of the dynamic field that it is, or null: it is left out.',
          'phone',
        ),
      }),
    )
    .describe('The columns of the file.'),
  too_many_columns: answered(
    z.boolean(),
    'It has more columns than a contact has fields: without `columns` it cannot be imported.',
    false,
  ),
  rows: z
    .array(
      z.object({
        line: answered(z.int(), 'Line of the file, the first is 1.', 2),
        fields: answered(z.array(z.string()), 'As they stand in the file.', ['0501234567', 'Dana', 'Haifa']),
        phone: answered(z.string().nullable(), 'The number; null when the row cannot be used.', '0501234567'),
        problem: answered(z.string().nullable(), 'Why it cannot be used.', null),
      }),
    )
    .describe('The first rows with data.'),
});

const name = z
  .string('must be a text')
  .trim()
  .min(1, 'missing')
  .max(LIST_NAME_MOST, `over ${LIST_NAME_MOST} characters`)
  .meta({ description: 'What people call it.', examples: ['Customers'] });
const columns = z
  .array(z.string('must be a text').trim().max(NAME_MOST, `over ${NAME_MOST} characters`), 'must be a list')
  .max(FIELDS, `more than ${FIELDS} entries`)
  .meta({
    description: 'The names of the dynamic fields, in their order; empty for one without a name.',
    examples: [['first name', 'town']],
  });
const newList = z.object({ name, columns: columns.optional() });
const changes = z.object({ name: name.optional(), columns: columns.optional() });
const phone = z
  .string('must be a text')
  .min(1, 'missing')
  .meta({ description: 'A number in any spelling.', examples: ['0501234567'] });
const toAdd = z.object({
  contacts: z
    .array(
      z.object({
        phone,
        fields: z
          .array(
            z.string('must be a text').max(FIELD_MOST, `over ${FIELD_MOST} characters`).nullable(),
            'must be a list',
          )
          .max(FIELDS, `more than ${FIELDS} entries`)
          .default([])
          .meta({ description: 'Its dynamic fields.', examples: [['Dana', 'Haifa']] }),
      }),
      'must be a list',
    )
    .min(1, 'missing')
    .max(CONTACTS_MOST, `more than ${CONTACTS_MOST} entries`)
    .describe('The contacts; one that the list has already stays as it is.'),
});
const toRemove = z.object({
  phones: z
    .array(phone, 'must be a list')
    .min(1, 'missing')
    .max(CONTACTS_MOST, `more than ${CONTACTS_MOST} entries`)
    .meta({ description: 'Numbers in any spelling.', examples: [['0501234567']] }),
});

type WithId = { Params: { id: string } };

/**
 * Contacts one by one and what the console does with lists, under /v1, a part of the door:
 * - `GET /contacts?phone=`: the lists that a number is in
 * - `GET /contact-lists/:id/contacts?after=&limit=&phone=`: the contacts of a list
 * - `POST /contact-lists/:id/contacts`, `/contacts/remove`: adds and removes some
 * - `POST /contact-lists`, `PATCH /contact-lists/:id`, `DELETE /contact-lists/:id`
 * - `POST /contact-lists/:id/preview?header=&columns=`, the body is the beginning of a CSV file: what an import would make
 *   of it
 */
export function contactsPart(parts: {
  readonly contactLists: ContactLists;
  readonly imports: Imports;
  readonly numbers: NumberReader;
}): V1Part {
  const { contactLists, imports, numbers } = parts;

  function readPhone(text: string, field: string): string {
    const number = numbers.parse(text);
    if (!number) throw new Refusal('bad-field', 'too short, too long or not a phone number', field);
    return number.digits;
  }

  return (app, accountOf) => {
    app.get(
      '/contacts',
      described({
        chapter: 'contacts',
        id: 'findContact',
        title: 'Lists that a number is in',
        description: 'Each with what it has about the number.',
        query: search,
        answer: z.object({ lists: z.array(listAnswer.extend({ fields })) }),
      }),
      async (request) => {
        const digits = readPhone(read(search, request.query).phone, 'phone');
        const found = await contactLists.holding(accountOf(request).id, digits);
        return {
          lists: found.map(({ list, contact }) => ({ ...showList(list), fields: upTo(list.width, contact) })),
        };
      },
    );

    app.get<WithId>(
      '/contact-lists/:id/contacts',
      described({
        chapter: 'contacts',
        id: 'listContacts',
        title: 'Contacts of a list',
        description: 'In the order of their numbers, or those that begin with what is looked for.',
        pathId: pathOfList,
        query: page,
        answer: z.object({ contacts: z.array(contactAnswer), next }),
        refusals: ['not-found', 'unknown-list'],
      }),
      async (request) => {
        const { after, limit, phone } = read(page, request.query);
        const { id: accountId } = accountOf(request);
        const list = await contactLists.get(accountId, pathId(request.params.id, 'contact list'));
        const prefix = prefixOf(phone, numbers);
        const found = await contactLists.browse(accountId, list.id, after, limit + 1, prefix);
        const rows = found.slice(0, limit);
        return {
          contacts: rows.map((contact) => ({
            phone: displayNumber(contact.phone),
            fields: upTo(list.width, contact),
          })),
          next: found.length > limit ? rows.at(-1)!.phone : null,
        };
      },
    );

    app.post(
      '/contact-lists',
      withBody(
        described({
          chapter: 'contacts',
          id: 'createContactList',
          title: 'Make a contact list',
          description: 'An empty one.',
          answer: listAnswer,
        }),
        newList,
      ),
      async (request) => {
        const { name, columns } = read(newList, request.body);
        const { id: accountId } = accountOf(request);
        const [id] = await contactLists.create(accountId, [{ name, contacts: [] }]);
        return showList(
          columns
            ? await contactLists.rename(accountId, id!, { columns })
            : await contactLists.get(accountId, id!),
        );
      },
    );

    app.patch<WithId>(
      '/contact-lists/:id',
      withBody(
        described({
          chapter: 'contacts',
          id: 'renameContactList',
          title: 'Rename a contact list or its fields',
          description: 'What is not given stays.',
          pathId: pathOfList,
          answer: listAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        changes,
      ),
      async (request) => {
        const id = pathId(request.params.id, 'contact list');
        const given = read(changes, request.body);
        return showList(await contactLists.rename(accountOf(request).id, id, given));
      },
    );

    app.post<WithId>(
      '/contact-lists/:id/contacts',
      withBody(
        described({
          chapter: 'contacts',
          id: 'addContacts',
          title: 'Add contacts to a list',
          description: 'All of them or, when one cannot be read, none.',
          pathId: pathOfList,
          answer: z.object({
            added: answered(z.int(), 'How many were added.', 1),
            present: answered(z.int(), 'How many the list had already.', 0),
          }),
          refusals: ['not-found', 'unknown-list'],
        }),
        toAdd,
      ),
      async (request) => {
        const listId = pathId(request.params.id, 'contact list');
        const given = read(toAdd, request.body).contacts;
        const contacts = new Map<string, Contact>();
        for (const [index, { phone, fields }] of given.entries()) {
          const digits = readPhone(phone, `contacts[${index}].phone`);
          const values = fields.map((value) => value || null);
          if (!contacts.has(digits)) contacts.set(digits, { phone: digits, fields: values });
        }
        const entries = [...contacts.values()];
        const [added] = await contactLists.add(accountOf(request).id, [{ listId, entries }]);
        if (!added) throw new Refusal('unknown-list', 'no such contact list');
        return { added: added.length, present: entries.length - added.length };
      },
    );

    app.post<WithId>(
      '/contact-lists/:id/contacts/remove',
      withBody(
        described({
          chapter: 'contacts',
          id: 'removeContacts',
          title: 'Take contacts out of a list',
          description: 'All of them or, when one cannot be read, none.',
          pathId: pathOfList,
          answer: z.object({
            removed: answered(z.int(), 'How many were taken out.', 1),
            absent: answered(z.int(), 'How many the list did not have.', 0),
          }),
          refusals: ['not-found', 'unknown-list'],
        }),
        toRemove,
      ),
      async (request) => {
        const listId = pathId(request.params.id, 'contact list');
        const given = read(toRemove, request.body).phones;
        const entries = [...new Set(given.map((phone, index) => readPhone(phone, `phones[${index}]`)))];
        const [removed] = await contactLists.take(accountOf(request).id, [{ listId, entries }]);
        if (!removed) throw new Refusal('unknown-list', 'no such contact list');
        return { removed: removed.length, absent: entries.length - removed.length };
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      bodiless.delete<WithId>(
        '/contact-lists/:id',
        described({
          chapter: 'contacts',
          id: 'removeContactList',
          title: 'Remove a contact list',
          description: 'With its contacts.',
          pathId: pathOfList,
          answer: doneAnswer,
          refusals: ['not-found', 'unknown-list'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'contact list');
          const removed = await contactLists.remove(accountOf(request).id, [id]);
          if (removed.length === 0) throw new Refusal('unknown-list', 'no such contact list');
          return done;
        },
      );
    });

    app.register(async (samples) => {
      samples.removeAllContentTypeParsers();
      samples.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: PREVIEW_MOST },
        (_request, body, parsed) => parsed(null, body),
      );
      samples.addHook('onRequest', async (request) => {
        request.headers['content-type'] = 'application/octet-stream';
      });
      samples.post<WithId>(
        '/contact-lists/:id/preview',
        described({
          chapter: 'contacts',
          id: 'previewImport',
          title: 'What an import would make of a file',
          description: `The body is the file or its beginning, of which ${SAMPLE_BYTES / 1024} KiB are read. Nothing is stored.`,
          pathId: pathOfList,
          query: previewQuery,
          file: csvFile,
          answer: previewAnswer,
          refusals: ['not-found', 'unknown-list', 'too-large'],
        }),
        async (request) => {
          const { header, columns } = read(previewQuery, request.query);
          const id = pathId(request.params.id, 'contact list');
          const sample = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
          return showPreview(await imports.preview(accountOf(request).id, id, sample, header, columns));
        },
      );
    });
  };
}

/** The fields that the list has, though a contact may have set fewer. */
function upTo(width: number, { fields }: Contact): (string | null)[] {
  return fields.slice(0, width);
}

const targetOf = (target: ColumnTarget): string | null => (target === 0 ? null : String(target));

function showPreview(preview: CsvPreview): z.output<typeof previewAnswer> {
  return {
    separator: preview.separator,
    named: preview.named,
    columns: preview.columns.map(({ name, target }) => ({ name, target: targetOf(target) })),
    too_many_columns: preview.tooManyColumns,
    rows: preview.rows.map(({ line, fields, phone, problem }) => ({
      line,
      fields: [...fields],
      phone: phone === null ? null : displayNumber(phone),
      problem,
    })),
  };
}
