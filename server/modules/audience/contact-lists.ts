import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import {
  type Contact,
  type ContactRow,
  deleteContacts,
  insertContacts,
  ListGone,
  lockLists,
  replaceContacts,
  toContact,
} from './contact-rows.ts';
import { ANY_NUMBER, hasPart } from './number-part.ts';

export type { Contact } from './contact-rows.ts';

const PAGE = 2_000;
const LISTS_A_PAGE = 500;

/** Maximum length of a list's name, in characters. */
export const MAX_LIST_NAME = 100;

/** A contact list without its contacts. */
export interface ContactList {
  readonly accountId: number;
  readonly id: number;
  readonly name: string;
  /** Names of df1 to df6, as far as known; '' is a field without a name. */
  readonly columns: readonly string[];
  /** The highest dynamic field that any contact has ever had, 0 to 6. */
  readonly width: number;
  /** Number of contacts. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A contact with the list that it is in. */
export interface HeldContact {
  readonly list: ContactList;
  readonly contact: Contact;
}

/** A new list with its contacts. */
interface NewContactList {
  readonly name: string;
  /** Without duplicate phones. */
  readonly contacts: readonly Contact[];
}

/** Contacts or phones to add to or remove from a list, without duplicate phones. */
export interface ListChange<T> {
  readonly listId: number;
  readonly entries: readonly T[];
}

const unknownList = () => new Refusal('unknown-list', 'no such contact list');

/** Columns of a `ContactList` in the table `contact_lists` (alias `l`). */
const columnsOf = (sql: Queryable) =>
  sql`l.account_id AS "accountId", l.id, l.name, l.columns, l.width, l.count, l.created_at AS "createdAt"`;

/** Parses the id of a list from a text of digits. Returns null for a text that cannot be an id. */
export function readListId(text: string): number | null {
  if (!/^\d{1,16}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}

type ContactListsDeps = Pick<Context, 'sql' | 'ids' | 'clock'>;

/** Lists of contacts, each with up to six dynamic fields (interface, B6). */
export class ContactLists {
  readonly #deps: ContactListsDeps;

  constructor(deps: ContactListsDeps) {
    this.#deps = deps;
  }

  /** Returns the lists of the account with these ids; other ids are not in the map. */
  async find(accountId: number, ids: readonly number[], sql: Queryable = this.#deps.sql) {
    const found = new Map<number, ContactList>();
    for (const some of inStatements(ids)) {
      const lists = await sql<ContactList[]>`
        SELECT ${columnsOf(sql)} FROM contact_lists l
        WHERE l.account_id = ${accountId} AND l.id = ANY(${numbers(some)}::bigint[]) AND l.removed_at IS NULL`;
      for (const list of lists) found.set(list.id, list);
    }
    return found;
  }

  /** Returns a list of the account. Throws Refusal `unknown-list`. */
  async get(accountId: number, id: number, sql: Queryable = this.#deps.sql): Promise<ContactList> {
    const list = (await this.find(accountId, [id], sql)).get(id);
    if (!list) throw unknownList();
    return list;
  }

  /**
   * Returns up to `limit` contacts of a list, ordered by phone, after `afterPhone` ('' for the first page). Fewer than
   * `limit` means that this is the last page. Does not check whether the list was removed: contacts that are already
   * deleted are missing.
   */
  async page(
    sql: Queryable,
    accountId: number,
    listId: number,
    afterPhone: string,
    limit: number,
  ): Promise<Contact[]> {
    const rows = await sql<ContactRow[]>`
      SELECT list_id, phone, df1, df2, df3, df4, df5, df6 FROM contacts
      WHERE account_id = ${accountId} AND list_id = ${listId} AND phone > ${afterPhone}
      ORDER BY phone LIMIT ${limit}`;
    return rows.map(toContact);
  }

  /** As `page`, but complete. Throws ListGone if the list was removed, because some contacts may be deleted already. */
  async wholePage(accountId: number, listId: number, afterPhone: string, limit: number): Promise<Contact[]> {
    const contacts = await this.page(this.#deps.sql, accountId, listId, afterPhone, limit);
    // Contacts are deleted only after the list is removed: if the list still exists, the page was complete.
    if (!(await this.find(accountId, [listId])).has(listId)) throw new ListGone();
    return contacts;
  }

  /** All contacts of a list, page by page. Throws ListGone as `wholePage` does. */
  async *pages(accountId: number, listId: number): AsyncGenerator<Contact[]> {
    for (let after = ''; ; ) {
      const contacts = await this.wholePage(accountId, listId, after, PAGE);
      if (contacts.length > 0) yield contacts;
      if (contacts.length < PAGE) return;
      after = contacts.at(-1)!.phone;
    }
  }

  /** Returns up to `limit` lists of the account, ordered by id, after `afterId`. */
  async list(accountId: number, afterId = 0, limit = LISTS_A_PAGE, search = ''): Promise<ContactList[]> {
    const { sql } = this.#deps;
    return sql<ContactList[]>`
      SELECT ${columnsOf(sql)} FROM contact_lists l
      WHERE l.account_id = ${accountId} AND l.id > ${afterId} AND l.removed_at IS NULL
        ${search === '' ? sql`` : sql`AND strpos(lower(l.name), lower(${search})) > 0`}
      ORDER BY l.id LIMIT ${limit}`;
  }

  /**
   * Yields every contact of every list, with its list, in pages. A list without contacts appears once, with the phone
   * ''. Each page of contacts needs one query, no matter how many lists it covers.
   */
  async *everything(accountId: number): AsyncGenerator<{ list: ContactList; phone: string }[]> {
    for (let afterId = 0; ; ) {
      const lists = await this.list(accountId, afterId);
      if (lists.length > 0) yield* this.#contactsOf(accountId, lists);
      if (lists.length < LISTS_A_PAGE) return;
      afterId = lists.at(-1)!.id;
    }
  }

  async *#contactsOf(accountId: number, lists: readonly ContactList[]) {
    const last = lists.at(-1)!.id;
    let after = { id: lists[0]!.id, phone: '' };
    let at = 0;
    let empty = true;
    for (;;) {
      const rows = await this.#deps.sql<{ list_id: number; phone: string }[]>`
        SELECT list_id, phone FROM contacts
        WHERE account_id = ${accountId} AND (list_id, phone) > (${after.id}, ${after.phone}) AND list_id <= ${last}
        ORDER BY list_id, phone LIMIT ${PAGE}`;
      const page: { list: ContactList; phone: string }[] = [];
      const leave = () => {
        if (empty) page.push({ list: lists[at]!, phone: '' });
        at++;
        empty = true;
      };
      for (const row of rows) {
        while (lists[at]!.id < row.list_id) leave();
        const list = lists[at]!;
        // Contacts of a removed list that are not deleted yet may be between those of two lists.
        if (list.id > row.list_id) continue;
        page.push({ list, phone: row.phone });
        empty = false;
      }
      const end = rows.length < PAGE;
      while (end && at < lists.length) leave();
      if (page.length > 0) yield page;
      if (end) return;
      const { list_id, phone } = rows.at(-1)!;
      after = { id: list_id, phone };
    }
  }

  /** Creates lists with their contacts in one transaction. Returns their ids in the same order. */
  async create(accountId: number, lists: readonly NewContactList[]): Promise<number[]> {
    const ids = lists.map(() => this.#deps.ids.next());
    const now = this.#deps.clock.now();
    await this.#deps.sql.begin(async (tx) => {
      await tx`
        INSERT INTO contact_lists (account_id, id, name, created_at)
        SELECT w.account_id, u.id, u.name, ${now}
        FROM wallets w, unnest(${ids}::bigint[], ${texts(lists.map(({ name }) => name))}::text[]) AS u (id, name)
        WHERE w.account_id = ${accountId}`;
      for (const [index, { contacts }] of lists.entries()) {
        await insertContacts(tx, accountId, ids[index]!, contacts);
      }
    });
    return ids;
  }

  /**
   * Adds contacts to lists in one transaction. Contacts that are already in a list keep their fields, or with `replace`
   * get the new ones. Returns for each change the added phones, or null if the list does not exist.
   */
  async add(
    accountId: number,
    changes: readonly ListChange<Contact>[],
    replace = false,
  ): Promise<(string[] | null)[]> {
    return this.#change(accountId, changes, replace ? replaceContacts : insertContacts);
  }

  /**
   * Removes phones from lists in one transaction. Returns for each change the removed phones, or null if the list does
   * not exist.
   */
  async take(accountId: number, changes: readonly ListChange<string>[]): Promise<(string[] | null)[]> {
    return this.#change(accountId, changes, deleteContacts);
  }

  /** Returns the lists that contain phones, ordered by id, with the contact in each. Other phones are not in the map. */
  async holding(accountId: number, phones: readonly string[]): Promise<Map<string, HeldContact[]>> {
    const held = new Map<string, HeldContact[]>();
    for (const some of inStatements(phones)) {
      for (const row of await this.#holdingSome(accountId, some)) {
        const contact = { list: row, contact: toContact(row) };
        held.set(row.phone, [...(held.get(row.phone) ?? []), contact]);
      }
    }
    return held;
  }

  #holdingSome(accountId: number, phones: readonly string[]) {
    const { sql } = this.#deps;
    return sql<(ContactList & ContactRow)[]>`
      SELECT ${columnsOf(sql)}, c.list_id, c.phone, c.df1, c.df2, c.df3, c.df4, c.df5, c.df6
      FROM contact_lists l JOIN contacts c ON c.account_id = l.account_id AND c.list_id = l.id
      WHERE l.account_id = ${accountId} AND c.account_id = ${accountId}
        AND c.phone = ANY(${texts(phones)}::text[])
        AND l.removed_at IS NULL
      ORDER BY l.id`;
  }

  /** Returns contacts of a list in pages for display: as `page`, filtered by a part of the number. */
  async browse(
    accountId: number,
    listId: number,
    afterPhone: string,
    limit: number,
    part = ANY_NUMBER,
  ): Promise<Contact[]> {
    const rows = await this.#deps.sql<ContactRow[]>`
      SELECT list_id, phone, df1, df2, df3, df4, df5, df6 FROM contacts
      WHERE account_id = ${accountId} AND list_id = ${listId} AND phone > ${afterPhone}
        AND ${hasPart(this.#deps.sql, this.#deps.sql`phone`, part)}
      ORDER BY phone LIMIT ${limit}`;
    return rows.map(toContact);
  }

  /** Renames a list or its fields. Throws Refusal `unknown-list`. */
  async rename(
    accountId: number,
    id: number,
    changes: { readonly name?: string | undefined; readonly columns?: readonly string[] | undefined },
  ): Promise<ContactList> {
    const { name = null, columns } = changes;
    const { sql } = this.#deps;
    const [list] = await sql<ContactList[]>`
      UPDATE contact_lists l
      SET name = coalesce(${name}::text, name),
        columns = coalesce(${columns ? texts(columns) : null}::text[], columns)
      WHERE account_id = ${accountId} AND id = ${id} AND removed_at IS NULL
      RETURNING ${columnsOf(sql)}`;
    if (!list) throw unknownList();
    return list;
  }

  /** Returns those of these phones that are in a list. */
  async has(accountId: number, listId: number, phones: readonly string[]): Promise<Set<string>> {
    const there = new Set<string>();
    for (const some of inStatements(phones)) {
      const rows = await this.#deps.sql<{ phone: string }[]>`
        SELECT phone FROM contacts
        WHERE account_id = ${accountId} AND list_id = ${listId} AND phone = ANY(${texts(some)}::text[])`;
      for (const { phone } of rows) there.add(phone);
    }
    return there;
  }

  /** Removes lists. They disappear immediately; a background task deletes their contacts. Returns the removed ids. */
  async remove(accountId: number, ids: readonly number[]): Promise<number[]> {
    // A request may name a million unknown lists, so only existing ones are locked.
    const known = [...(await this.find(accountId, ids)).keys()];
    return this.#deps.sql.begin(async (tx) => {
      const there = [...(await lockLists(tx, accountId, known))];
      await tx`
        UPDATE contact_lists SET removed_at = ${this.#deps.clock.now()}
        WHERE account_id = ${accountId} AND id = ANY(${there}::bigint[])`;
      return there;
    });
  }

  async #change<T>(
    accountId: number,
    changes: readonly ListChange<T>[],
    apply: (
      tx: TransactionSql,
      accountId: number,
      listId: number,
      entries: readonly T[],
    ) => Promise<string[]>,
  ): Promise<(string[] | null)[]> {
    return this.#deps.sql.begin(async (tx) => {
      const there = await lockLists(
        tx,
        accountId,
        changes.map(({ listId }) => listId),
      );
      const done: (string[] | null)[] = [];
      for (const { listId, entries } of changes) {
        done.push(there.has(listId) ? await apply(tx, accountId, listId, entries) : null);
      }
      return done;
    });
  }
}
