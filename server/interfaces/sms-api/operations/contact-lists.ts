import { z } from 'zod';
import { readListId } from '../../../audience/contact-lists.ts';
import { type ReadRows, readContacts, readPhones, rowErrors } from '../contact-entries.ts';
import { user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, list, optionalElement, optionalText, text } from '../wire/fields.ts';

/** Lists of one request, at most; the number of rows is bounded by the size of a request alone. */
const LISTS_MOST = 1_000;
const NAME_MOST = 100;

// Anything: a row with a problem is told of in `errors`.
const rows = list(z.unknown());
const name = text.refine((value) => value.length <= NAME_MOST, `over ${NAME_MOST} characters`);
const noSuchList = 'no such contact list';

/** Makes contact lists (interface, B6). */
export const newCL = operation({
  roots: ['newCL'],
  schema: element({
    user,
    cl: list(element({ name, destinations: optionalElement({ destination: rows }) }), {
      min: 1,
      max: LISTS_MOST,
    }),
  }),
  async run(input, call) {
    const { contactLists, numbers, ids } = call.services;
    const lists = input.cl.map((cl) => ({
      name: cl.name,
      read: readContacts(cl.destinations?.destination ?? [], numbers),
    }));
    const identifiers = call.dryRun
      ? lists.map(() => ids.next())
      : await contactLists.create(
          call.account.id,
          lists.map((one) => ({ name: one.name, contacts: one.read.entries })),
        );
    const errors = lists.flatMap(({ read }, index) =>
      rowErrors(
        read,
        `${pathOf(index, lists.length)}.destinations.destination`,
        read.entries.map((contact) => contact.phone),
        '',
      ),
    );
    const added = lists.reduce((sum, { read }) => sum + read.entries.length, 0);
    return {
      status: done.accepted,
      message: `${lists.length} contact lists created, ${added} numbers added`,
      errors,
      identifiers: identifiers.map(String),
    };
  },
});

/** Removes contact lists (interface, B6). */
export const removeCL = operation({
  roots: ['removeCL'],
  schema: element({
    user,
    cl: list(element({ id: list(optionalText, { min: 1, max: LISTS_MOST }) }), { min: 1, max: LISTS_MOST }),
  }),
  async run(input, call) {
    const { contactLists } = call.services;
    const asked = input.cl.flatMap((cl, index) =>
      cl.id.map((id, at) => ({
        id: idOf(id),
        field: `${pathOf(index, input.cl.length)}.id${cl.id.length > 1 ? `[${at}]` : ''}`,
      })),
    );
    const ids = [...new Set(asked.map(({ id }) => id))];
    const removed = new Set(
      call.dryRun
        ? (await contactLists.find(call.account.id, ids)).keys()
        : await contactLists.remove(call.account.id, ids),
    );
    return {
      status: done.accepted,
      message: `${removed.size} contact lists removed`,
      errors: asked.filter(({ id }) => !removed.has(id)).map(({ field }) => `${field}: ${noSuchList}`),
    };
  },
});

/** Adds numbers to contact lists (interface, B6); one that a list has already stays as it is. */
export const addNumCL = operation({
  roots: ['addNumCL'],
  schema: element({
    user,
    cl: list(element({ id: optionalText, destinations: element({ destination: rows }) }), {
      min: 1,
      max: LISTS_MOST,
    }),
  }),
  async run(input, call) {
    const { contactLists, numbers } = call.services;
    const changes = input.cl.map((cl) => ({
      listId: idOf(cl.id),
      read: readContacts(cl.destinations.destination, numbers),
    }));
    const results = call.dryRun
      ? (await present(changes, call, ({ phone }) => phone)).map(
          (found, index) =>
            found &&
            changes[index]!.read.entries.map((entry) => entry.phone).filter((phone) => !found.has(phone)),
        )
      : await contactLists.add(
          call.account.id,
          changes.map(({ listId, read }) => ({ listId, entries: read.entries })),
        );
    return answer(changes, results, 'destinations.destination', 'added', '.phone: already in the list');
  },
});

/** Takes numbers out of contact lists (interface, B6). */
export const rmNumCL = operation({
  roots: ['rmNumCL'],
  schema: element({
    user,
    cl: list(element({ id: optionalText, destinations: element({ phone: rows }) }), {
      min: 1,
      max: LISTS_MOST,
    }),
  }),
  async run(input, call) {
    const { contactLists, numbers } = call.services;
    const changes = input.cl.map((cl) => ({
      listId: idOf(cl.id),
      read: readPhones(cl.destinations.phone, numbers),
    }));
    const results = call.dryRun
      ? (await present(changes, call, (phone) => phone)).map((found) => found && [...found])
      : await contactLists.take(
          call.account.id,
          changes.map(({ listId, read }) => ({ listId, entries: read.entries })),
        );
    return answer(changes, results, 'destinations.phone', 'removed', ': not in the list');
  },
});

interface Change<Entry> {
  readonly listId: number;
  readonly read: ReadRows<Entry>;
}

/** For a dry run: which phones of each change are in its list, or null when there is no such list. */
async function present<Entry>(
  changes: readonly Change<Entry>[],
  call: Call,
  phoneOf: (entry: Entry) => string,
): Promise<(Set<string> | null)[]> {
  const { contactLists } = call.services;
  const there = await contactLists.find(
    call.account.id,
    changes.map(({ listId }) => listId),
  );
  const found: (Set<string> | null)[] = [];
  for (const { listId, read } of changes) {
    found.push(
      there.has(listId) ? await contactLists.has(call.account.id, listId, read.entries.map(phoneOf)) : null,
    );
  }
  return found;
}

/** `results` has for each change the phones that were carried out, or null when there is no such list. */
function answer<Entry extends Parameters<typeof rowErrors>[0]['entries'][number]>(
  changes: readonly Change<Entry>[],
  results: readonly (readonly string[] | null)[],
  field: string,
  what: string,
  otherwise: string,
) {
  const errors: string[] = [];
  let count = 0;
  for (const [index, { read }] of changes.entries()) {
    const path = pathOf(index, changes.length);
    const carriedOut = results[index];
    if (!carriedOut) {
      errors.push(`${path}.id: ${noSuchList}`);
      continue;
    }
    count += carriedOut.length;
    for (const error of rowErrors(read, `${path}.${field}`, carriedOut, otherwise)) errors.push(error);
  }
  return { status: done.accepted, message: `${count} numbers ${what}`, errors };
}

/** `cl`, or `cl[2]` where there are several. */
function pathOf(index: number, count: number): string {
  return count > 1 ? `cl[${index}]` : 'cl';
}

/** An id that no list has stands for what cannot be read: it is an error of its row, not of the call. */
function idOf(value: string | undefined): number {
  return (value === undefined ? null : readListId(value)) ?? 0;
}
