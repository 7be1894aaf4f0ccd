import { z } from 'zod';
import { badField, type Refusal } from '../../../kit/errors.ts';
import { forEachInSlices, mapInSlices, TimeSlice } from '../../../kit/time-slices.ts';
import {
  type Contact,
  type ListChange,
  MAX_LIST_NAME,
  readListId,
} from '../../../modules/audience/contact-lists.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { askedFor, readAs } from '../../openapi/shown.ts';
import { accepted, answerOf, errorsField } from '../about.ts';
import { contactRow, type ReadRows, readContacts, readPhones, rowErrors } from '../contact-entries.ts';
import { user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { element, list, optionalElement, optionalText, text } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

/** Maximum lists of a request. The number of rows is limited only by the size of a request. */
const MAX_LISTS = 1_000;

// Read row by row: a row with a problem is listed in `errors`.
const contacts = list(readAs(z.unknown(), contactRow)).describe('Numbers.');
const phones = list(readAs(z.unknown(), text)).describe('Numbers.');
const notTaken = given.anything.describe('Ignored here; a request with only this field is refused with 2.');
const rows = list(
  readAs(z.unknown(), element({ phone: text.describe('Number, in any spelling.') })),
).describe('Numbers, in the form of `addNumCL`.');
const name = text
  .refine((value) => value.length <= MAX_LIST_NAME, `over ${MAX_LIST_NAME} characters`)
  .meta({ description: 'Display name.', maxLength: MAX_LIST_NAME });
const listId = text.describe('`cl_id` of the list.');
const noSuchList = 'no such contact list';

/** Creates contact lists (interface, B6). */
export const newCL = operation({
  roots: ['newCL'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'Create contact lists',
  description:
    'Creates lists, with numbers or empty. Invalid numbers are listed in `errors`, and the others are added.',
  example: {
    cl: [
      {
        name: 'Customers',
        destinations: {
          destination: [
            { phone: '0501234567', df1: 'Dana', df2: 'Haifa' },
            { phone: '12', df1: 'Noam' },
          ],
        },
      },
    ],
  },
  answer: answerOf(
    {
      errors: errorsField(
        'cl.destinations.destination[1].phone (12): too short, too long or not a phone number',
      ),
      identifiers: z
        .array(out.text('', '1774337460000002'))
        .describe('Ids of the lists, in the order of the request.'),
    },
    { message: '1 contact lists created, 1 numbers added' },
  ),
  schema: element({
    user,
    cl: list(element({ name, destinations: optionalElement({ destination: contacts, phone: notTaken }) }), {
      min: 1,
      max: MAX_LISTS,
    }).describe('Lists.'),
  }),
  async run(input, call) {
    const { contactLists, numbers, ids } = call.services;
    const lists: { name: string; read: ReadRows<Contact> }[] = [];
    for (const { name, destinations } of input.cl) {
      if (destinations?.phone && destinations.destination.length === 0) throw nobodyNamed('destination');
      lists.push({ name, read: await readContacts(destinations?.destination ?? [], numbers) });
    }
    const identifiers = call.dryRun
      ? lists.map(() => ids.next())
      : await contactLists.create(
          call.account.id,
          lists.map((one) => ({ name: one.name, contacts: one.read.entries })),
        );
    const errors: string[] = [];
    for (const [index, { read }] of lists.entries()) {
      const field = `${pathOf(index, lists.length)}.destinations.destination`;
      const added = read.entries.map((contact) => contact.phone);
      for (const error of await rowErrors(read, field, added, '.phone', '')) errors.push(error);
    }
    const added = lists.reduce((sum, { read }) => sum + read.entries.length, 0);
    return accepted(
      { errors, identifiers: identifiers.map(String) },
      `${lists.length} contact lists created, ${added} numbers added`,
    );
  },
});

/** Removes contact lists (interface, B6). */
export const removeCL = operation({
  roots: ['removeCL'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'Delete contact lists',
  description: 'Deletes lists with their numbers. Ids that do not exist are listed in `errors`.',
  example: { cl: [{ id: ['1774337460000002', '17'] }] },
  answer: answerOf(
    { errors: errorsField('cl.id[1]: no such contact list') },
    { message: '1 contact lists removed' },
  ),
  schema: element({
    user,
    cl: list(
      element({
        id: list(optionalText, { min: 1, max: MAX_LISTS }).describe('Ids of the lists.'),
      }),
      { min: 1, max: MAX_LISTS },
    ).describe('Lists; the element may be repeated.'),
  }),
  async run(input, call) {
    const { contactLists } = call.services;
    const slice = new TimeSlice();
    const ids = new Set<number>();
    let isNamed = false;
    for (const { id } of input.cl) {
      await forEachInSlices(
        id,
        (one) => {
          isNamed ||= one !== undefined;
          ids.add(idOf(one));
        },
        slice,
      );
    }
    if (!isNamed) throw badField('cl.id', 'missing', 'missing');
    const removed = new Set(
      call.dryRun
        ? (await contactLists.find(call.account.id, [...ids])).keys()
        : await contactLists.remove(call.account.id, [...ids]),
    );
    const errors: string[] = [];
    for (const [index, { id }] of input.cl.entries()) {
      const path = `${pathOf(index, input.cl.length)}.id`;
      await forEachInSlices(
        id,
        (one, at) => {
          if (removed.has(idOf(one))) return;
          errors.push(`${path}${id.length > 1 ? `[${at}]` : ''}: ${noSuchList}`);
        },
        slice,
      );
    }
    return accepted({ errors }, `${removed.size} contact lists removed`);
  },
});

/** Adds numbers to contact lists (interface, B6). Existing contacts stay unchanged. */
export const addNumCL = operation({
  roots: ['addNumCL'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'Add numbers to contact lists',
  description:
    'Adds numbers to lists. A number that is in the list already stays unchanged and is listed in `errors`.',
  example: {
    cl: [{ id: '1774337460000002', destinations: { destination: [{ phone: '0501234567', df1: 'Dana' }] } }],
  },
  answer: answerOf(
    { errors: errorsField('cl.destinations.destination[0].phone (0501234567): already in the list') },
    { message: '0 numbers added' },
  ),
  schema: element({
    user,
    cl: list(element({ id: listId, destinations: element({ destination: askedFor(contacts) }) }), {
      min: 1,
      max: MAX_LISTS,
    }).describe('Lists.'),
  }),
  async run(input, call) {
    const { contactLists, numbers } = call.services;
    const field = 'destinations.destination';
    const changes: Change<Contact>[] = [];
    for (const [index, { id, destinations }] of input.cl.entries()) {
      const read = await readContacts(destinations.destination, numbers);
      changes.push({ listId: idOf(id), cl: index, read, field, name: '.phone' });
    }
    checkNamed(changes, 'destination');
    return changeLists(changes, call, {
      phoneOf: (contact) => contact.phone,
      carryOut: (some) => contactLists.add(call.account.id, some),
      needsThere: false,
      done: 'added',
      otherwise: 'already in the list',
    });
  },
});

/** Removes numbers from contact lists (interface, B6). */
export const rmNumCL = operation({
  roots: ['rmNumCL'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'Remove numbers from contact lists',
  description:
    'Removes numbers from lists. Lists and numbers that do not exist are listed in `errors`. Numbers may also have the form of `addNumCL`.',
  example: { cl: [{ id: '1774337460000002', destinations: { phone: ['0501234567', '0521234567'] } }] },
  answer: answerOf(
    { errors: errorsField('cl.destinations.phone[1] (0521234567): not in the list') },
    { message: '1 numbers removed' },
  ),
  schema: element({
    user,
    cl: list(element({ id: listId, destinations: element({ phone: askedFor(phones), destination: rows }) }), {
      min: 1,
      max: MAX_LISTS,
    }).describe('Lists.'),
  }),
  async run(input, call) {
    const { contactLists, numbers } = call.services;
    const changes: Change<string>[] = [];
    for (const [index, { id, destinations }] of input.cl.entries()) {
      // Callers may use either form. Entries of `phone` come first, as changes of one list.
      const { phone, destination } = destinations;
      if (phone.length > 0 || destination.length === 0) {
        const read = await readPhones(phone, numbers);
        changes.push({ listId: idOf(id), cl: index, read, field: 'destinations.phone', name: '' });
      }
      if (destination.length > 0) {
        const read = await readPhones(destination, numbers, '.phone');
        const field = 'destinations.destination';
        changes.push({ listId: idOf(id), cl: index, read, field, name: '.phone' });
      }
    }
    checkNamed(changes, 'phone');
    return changeLists(changes, call, {
      phoneOf: (phone) => phone,
      carryOut: (some) => contactLists.take(call.account.id, some),
      needsThere: true,
      done: 'removed',
      otherwise: 'not in the list',
    });
  },
});

interface Change<Entry> {
  readonly listId: number;
  /** Index of its `cl`. */
  readonly cl: number;
  readonly read: ReadRows<Entry>;
  /** Path of a row within `cl`, and its element with the phone. */
  readonly field: string;
  readonly name: '' | '.phone';
}

/** Differences between adding and removing numbers. */
interface Changing<Entry> {
  phoneOf(entry: Entry): string;
  /** Returns for each change the processed phones, or null if the list does not exist. */
  carryOut(changes: readonly ListChange<Entry>[]): Promise<(readonly string[] | null)[]>;
  /** Whether it processes phones that are in the list, or those that are not. */
  readonly needsThere: boolean;
  /** Words for processed numbers, and for the others. */
  readonly done: string;
  readonly otherwise: string;
}

async function changeLists<Entry extends Contact | string>(
  changes: readonly Change<Entry>[],
  call: Call,
  changing: Changing<Entry>,
) {
  const asked = changes.map(({ listId, read }) => ({ listId, entries: read.entries }));
  const results = await (call.dryRun ? foresee(asked, call, changing) : changing.carryOut(asked));
  const errors: string[] = [];
  let count = 0;
  const lists = changes.at(-1)!.cl + 1;
  const missing = new Set<number>();
  for (const [index, { cl, read, field, name }] of changes.entries()) {
    const path = pathOf(cl, lists);
    const carriedOut = results[index];
    if (!carriedOut) {
      if (!missing.has(cl)) errors.push(`${path}.id: ${noSuchList}`);
      missing.add(cl);
      continue;
    }
    count += carriedOut.length;
    const rows = await rowErrors(read, `${path}.${field}`, carriedOut, name, changing.otherwise);
    for (const error of rows) errors.push(error);
  }
  return accepted({ errors }, `${count} numbers ${changing.done}`);
}

/** Returns the expected result of `carryOut`, from the current lists. */
async function foresee<Entry>(
  changes: readonly ListChange<Entry>[],
  call: Call,
  { phoneOf, needsThere }: Changing<Entry>,
): Promise<(readonly string[] | null)[]> {
  const { contactLists } = call.services;
  const lists = await contactLists.find(
    call.account.id,
    changes.map(({ listId }) => listId),
  );
  const results: (readonly string[] | null)[] = [];
  for (const { listId, entries } of changes) {
    if (!lists.has(listId)) {
      results.push(null);
      continue;
    }
    const phones = await mapInSlices(entries, phoneOf);
    const there = await contactLists.has(call.account.id, listId, phones);
    const done: string[] = [];
    await forEachInSlices(phones, (phone) => {
      if (there.has(phone) === needsThere) done.push(phone);
    });
    results.push(done);
  }
  return results;
}

function nobodyNamed(field: string): Refusal {
  return badField(`cl.destinations.${field}`, 'missing', 'missing');
}

/**
 * Throws Refusal `bad-field` if no row of a request has a number, because nothing would be done (decisions, section 8).
 */
function checkNamed(changes: readonly Change<Contact | string>[], field: string): void {
  if (changes.every(({ read }) => read.named === 0)) throw nobodyNamed(field);
}

/** Returns `cl`, or `cl[2]` if there are several. */
function pathOf(index: number, count: number): string {
  return count > 1 ? `cl[${index}]` : 'cl';
}

/** An unreadable id becomes one that no list has: an error of its row, not of the call. */
function idOf(value: string | undefined): number {
  return (value === undefined ? null : readListId(value)) ?? 0;
}
