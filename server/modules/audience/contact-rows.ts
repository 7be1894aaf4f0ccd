import { inStatements, texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';
import { invariant } from '../../kit/observability/invariant.ts';

/** Number of dynamic fields of a contact (interface, B6: `df1` to `df6`). */
export const FIELDS = 6;

/** Maximum length of a dynamic field, in characters: longer values would not fit into a message. */
export const MAX_FIELD = 1_000;

/** One entry of a contact list. */
export interface Contact {
  /** E.164 digits. */
  readonly phone: string;
  /** df1 to df6; trailing empty fields may be missing. */
  readonly fields: readonly (string | null)[];
}

/** The list was removed while its entries were read or added. The account sees the message. */
export class ListGone extends Error {
  constructor(list: 'contact' | 'mailing' = 'contact') {
    super(`the ${list} list was removed`);
  }
}

/** A row of `contacts`. */
export interface ContactRow {
  readonly list_id: number;
  readonly phone: string;
  readonly df1: string | null;
  readonly df2: string | null;
  readonly df3: string | null;
  readonly df4: string | null;
  readonly df5: string | null;
  readonly df6: string | null;
}

export const toContact = (row: ContactRow): Contact => ({
  phone: row.phone,
  fields: [row.df1, row.df2, row.df3, row.df4, row.df5, row.df6],
});

/** Returns the highest dynamic field that any of these contacts has, 0 to 6. */
function widthOf(contacts: readonly Contact[]): number {
  let width = 0;
  for (const { fields } of contacts) {
    for (let i = fields.length; i > width; i--) {
      if (fields[i - 1] != null) width = i;
    }
  }
  return width;
}

/**
 * Locks the rows of lists until the transaction ends, ordered by id, so that two requests cannot deadlock. Every change
 * of contacts locks the list first, which keeps the counts exact and inserts free of deadlocks. Returns the ids of the
 * lists that exist.
 */
export async function lockLists(
  tx: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await tx<{ id: number }[]>`
    SELECT id FROM contact_lists
    WHERE account_id = ${accountId} AND id = ANY(${[...ids]}::bigint[]) AND removed_at IS NULL
    ORDER BY id FOR UPDATE`;
  return new Set(rows.map((row) => row.id));
}

/**
 * Adds contacts (without duplicate phones) to a locked list and updates its count. Existing contacts keep their fields.
 * Returns the added phones.
 */
export async function insertContacts(
  tx: Queryable,
  accountId: number,
  listId: number,
  contacts: readonly Contact[],
): Promise<string[]> {
  const added: string[] = [];
  let widest = 0;
  for (const some of inStatements(contacts)) {
    const width = widthOf(some);
    widest = Math.max(widest, width);
    // A column without values is a single null array, which unnest fills with nulls.
    const column = (n: number) =>
      n <= width ? texts(some.map(({ fields }) => fields[n - 1] ?? null)) : null;
    const rows = await tx<{ phone: string }[]>`
      INSERT INTO contacts (account_id, list_id, phone, df1, df2, df3, df4, df5, df6)
      SELECT l.account_id, l.id, u.* FROM contact_lists l, unnest(
        ${texts(some.map(({ phone }) => phone))}::text[], ${column(1)}::text[], ${column(2)}::text[],
        ${column(3)}::text[], ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::text[]
      ) AS u (phone, df1, df2, df3, df4, df5, df6)
      WHERE l.account_id = ${accountId} AND l.id = ${listId}
      ON CONFLICT ON CONSTRAINT contacts_pkey DO NOTHING
      RETURNING phone`;
    for (const row of rows) added.push(row.phone);
  }
  if (added.length > 0) {
    await tx`
      UPDATE contact_lists SET count = count + ${added.length}, width = greatest(width, ${widest}::smallint)
      WHERE account_id = ${accountId} AND id = ${listId}`;
  }
  return added;
}

/**
 * Adds contacts to a locked list as `insertContacts` does, and replaces the fields of existing contacts. Returns the
 * added phones.
 */
export async function replaceContacts(
  tx: Queryable,
  accountId: number,
  listId: number,
  contacts: readonly Contact[],
): Promise<string[]> {
  return changeContacts(tx, accountId, listId, contacts, (_old, given) => given);
}

/** As `replaceContacts`, but a field that is null in the new contact keeps its value. */
export async function updateContacts(
  tx: Queryable,
  accountId: number,
  listId: number,
  contacts: readonly Contact[],
): Promise<string[]> {
  return changeContacts(tx, accountId, listId, contacts, (old, given) => tx`coalesce(${given}, ${old})`);
}

async function changeContacts(
  tx: Queryable,
  accountId: number,
  listId: number,
  contacts: readonly Contact[],
  value: (old: Query<Row[]>, given: Query<Row[]>) => Query<Row[]>,
): Promise<string[]> {
  const added = await insertContacts(tx, accountId, listId, contacts);
  const isAdded = new Set(added);
  const present = contacts.filter(({ phone }) => !isAdded.has(phone));
  for (const some of inStatements(present)) {
    const column = (n: number) => texts(some.map(({ fields }) => fields[n - 1] ?? null));
    await tx`
      UPDATE contacts c SET df1 = ${value(tx`c.df1`, tx`u.df1`)}, df2 = ${value(tx`c.df2`, tx`u.df2`)},
        df3 = ${value(tx`c.df3`, tx`u.df3`)}, df4 = ${value(tx`c.df4`, tx`u.df4`)},
        df5 = ${value(tx`c.df5`, tx`u.df5`)}, df6 = ${value(tx`c.df6`, tx`u.df6`)}
      FROM unnest(
        ${texts(some.map(({ phone }) => phone))}::text[], ${column(1)}::text[], ${column(2)}::text[],
        ${column(3)}::text[], ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::text[]
      ) AS u (phone, df1, df2, df3, df4, df5, df6)
      WHERE c.account_id = ${accountId} AND c.list_id = ${listId} AND c.phone = u.phone`;
  }
  if (present.length > 0) {
    await tx`
      UPDATE contact_lists SET width = greatest(width, ${widthOf(present)}::smallint)
      WHERE account_id = ${accountId} AND id = ${listId}`;
  }
  return added;
}

/** Removes phones (without duplicates) from a locked list and updates its count. Returns the removed phones. */
export async function deleteContacts(
  tx: Queryable,
  accountId: number,
  listId: number,
  phones: readonly string[],
): Promise<string[]> {
  const removed: string[] = [];
  for (const some of inStatements(phones)) {
    const rows = await tx<{ phone: string }[]>`
      DELETE FROM contacts
      WHERE account_id = ${accountId} AND list_id = ${listId}
        AND phone = ANY(${texts(some)}::text[])
      RETURNING phone`;
    for (const row of rows) removed.push(row.phone);
  }
  if (removed.length > 0) {
    const [list] = await tx<{ count: number }[]>`
      UPDATE contact_lists SET count = count - ${removed.length}
      WHERE account_id = ${accountId} AND id = ${listId} RETURNING count`;
    invariant((list?.count ?? 0) >= 0, 'counts', () => ({ accountId, listId, count: list?.count }));
  }
  return removed;
}
