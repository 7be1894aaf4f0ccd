import type { Sql } from '../../database/connection.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { Blacklist } from './blacklist.ts';
import type { Contact, ContactLists, HeldContact } from './contact-lists.ts';
import { matchingContacts, type RecipientSearch, searchContacts } from './contact-search.ts';
import type { ListOfRecipient, ListUser, ListUsers } from './list-users.ts';

/** Users of mailing lists in one statement. The ones with a number of a contact list are left out afterwards. */
const CHUNK = 500;
/** Chunks of one page. A page ends early after them, and `next` continues. */
const MAX_CHUNKS = 4;
/** Addresses of one recipient, at most. */
const MAX_ADDRESSES = 5;
const NUMBERS = 'n';
const ADDRESSES = 'a';

/** A person whom an account sends to, from contact lists and mailing lists. */
export interface Recipient {
  /** E.164 digits; null without a number. */
  readonly phone: string | null;
  readonly addresses: readonly string[];
  /** First and last name; '' if unknown. */
  readonly name: string;
  /** Values of the fields of the first contact list, without addresses. */
  readonly fields: readonly string[];
  readonly contactLists: readonly ListOfRecipient[];
  readonly mailLists: readonly ListOfRecipient[];
  /** Whether the number is on the blacklist. */
  readonly isBlocked: boolean;
}

/** Where a page of recipients begins: after a number or an address. */
export interface RecipientCursor {
  readonly part: typeof NUMBERS | typeof ADDRESSES;
  readonly key: string;
}

interface RecipientsDeps {
  readonly sql: Sql;
  readonly numbers: Pick<NumberReader, 'parse'>;
  readonly blacklist: Pick<Blacklist, 'has'>;
  readonly contactLists: Pick<ContactLists, 'holding'>;
  /** Users of mailing lists; undefined without a channel that has them. */
  readonly listUsers: ListUsers | undefined;
}

/** Parses the `next` of a page; '' is the first page. Returns undefined for any other text. */
export function readCursor(text: string): RecipientCursor | undefined {
  if (text === '') return { part: NUMBERS, key: '' };
  const part = text[0];
  return part === NUMBERS || part === ADDRESSES ? { part, key: text.slice(1) } : undefined;
}

/**
 * Returns a page of the recipients of an account that match a search: those with a number in a contact list, in the order of the
 * numbers, then users of mailing lists, in the order of their addresses, without those whose phone is such a number. A page may
 * have fewer rows than `limit` although another one follows.
 */
export async function listRecipients(
  deps: RecipientsDeps,
  accountId: number,
  search: RecipientSearch,
  { part, key }: RecipientCursor,
  limit: number,
): Promise<{ rows: readonly Recipient[]; next: string | null }> {
  const rows: Recipient[] = [];
  let after = '';
  if (part === NUMBERS) {
    const phones = await searchContacts(deps.sql, accountId, search, key, limit + 1);
    const shown = phones.slice(0, limit);
    rows.push(...(await withNumbers(deps, accountId, shown)));
    if (phones.length > limit) return { rows, next: NUMBERS + shown.at(-1)! };
  } else after = key;
  const { text, digits } = search;
  for (let chunk = 1; ; chunk++) {
    const users = await deps.listUsers?.browse(accountId, { after, limit: CHUNK, text, digits });
    const found = readPhones(deps, users ?? []);
    const others = await withoutContacts(deps, accountId, search, found);
    const taken = others.slice(0, limit - rows.length);
    rows.push(...(await withAddresses(deps, accountId, taken)));
    if (taken.length < others.length) return { rows, next: ADDRESSES + (taken.at(-1)?.key ?? after) };
    if (found.length < CHUNK) return { rows, next: null };
    after = found.at(-1)!.key;
    if (chunk === MAX_CHUNKS) return { rows, next: ADDRESSES + after };
  }
}

/** A user and their phone number in E.164 digits; null if the phone is not a number. */
type UserWithDigits = ListUser & { readonly digits: string | null };

const readPhones = ({ numbers }: RecipientsDeps, users: readonly ListUser[]): UserWithDigits[] =>
  users.map((user) => ({ ...user, digits: numbers.parse(user.phone)?.digits ?? null }));

const digitsOf = (users: readonly UserWithDigits[]): string[] => users.flatMap(({ digits }) => digits ?? []);

/** Leaves out those whose number the search finds in a contact list. */
async function withoutContacts(
  { sql }: RecipientsDeps,
  accountId: number,
  search: RecipientSearch,
  found: readonly UserWithDigits[],
): Promise<UserWithDigits[]> {
  const contacts = await matchingContacts(sql, accountId, [...new Set(digitsOf(found))], search);
  return found.filter(({ digits }) => digits === null || !contacts.has(digits));
}

/** Completes numbers of contact lists. */
async function withNumbers(
  deps: RecipientsDeps,
  accountId: number,
  phones: readonly string[],
): Promise<Recipient[]> {
  if (phones.length === 0) return [];
  const { contactLists, blacklist, listUsers } = deps;
  const [held, blocked, users] = await Promise.all([
    contactLists.holding(accountId, phones),
    blacklist.has(accountId, phones),
    listUsers?.maybeWithPhones(accountId, phones) ?? [],
  ]);
  const byPhone = Map.groupBy(
    await withLists(deps, accountId, readPhones(deps, users)),
    ({ digits }) => digits,
  );
  return phones.map((phone) =>
    joined(phone, held.get(phone) ?? [], byPhone.get(phone) ?? [], blocked.has(phone)),
  );
}

/** Completes users of mailing lists, whose number may be in a contact list too. */
async function withAddresses(
  deps: RecipientsDeps,
  accountId: number,
  found: readonly UserWithDigits[],
): Promise<Recipient[]> {
  const { contactLists, blacklist } = deps;
  const phones = digitsOf(found);
  const [held, blocked, users] = await Promise.all([
    contactLists.holding(accountId, phones),
    blacklist.has(accountId, phones),
    withLists(deps, accountId, found),
  ]);
  return users.map((user) => {
    const phone = user.digits ?? '';
    return joined(user.digits, held.get(phone) ?? [], [user], blocked.has(phone));
  });
}

const valuesOf = ({ fields }: Contact): string[] => fields.filter((value) => value !== null);

/** Whether the value of a field is written like an email address. */
function looksLikeAddress(value: string): boolean {
  const [name, domain, ...others] = value.split('@');
  return Boolean(name && domain?.includes('.')) && others.length === 0 && !/\s/.test(value);
}

type UserWithLists = UserWithDigits & { readonly lists: readonly ListOfRecipient[] };

async function withLists(
  { listUsers }: RecipientsDeps,
  accountId: number,
  users: readonly UserWithDigits[],
): Promise<UserWithLists[]> {
  const ids = users.map(({ id }) => id);
  const lists = await listUsers?.listsOf(accountId, ids);
  return users.map((user) => ({ ...user, lists: lists?.get(user.id) ?? [] }));
}

/** Returns what contact lists and mailing lists have about one person. */
function joined(
  phone: string | null,
  contacts: readonly HeldContact[],
  own: readonly UserWithLists[],
  isBlocked: boolean,
): Recipient {
  const addresses = [
    ...own.map(({ address }) => address),
    ...contacts.flatMap(({ contact }) => valuesOf(contact).filter(looksLikeAddress)),
  ];
  const [first] = contacts;
  return {
    phone,
    addresses: [...new Set(addresses)].slice(0, MAX_ADDRESSES),
    name: own.find(({ name }) => name !== '')?.name ?? '',
    fields: first ? valuesOf(first.contact).filter((value) => !looksLikeAddress(value)) : [],
    contactLists: contacts.map(({ list }) => ({ id: list.id, name: list.name })),
    mailLists: [...new Map(own.flatMap(({ lists }) => lists).map((list) => [list.id, list])).values()],
    isBlocked,
  };
}
