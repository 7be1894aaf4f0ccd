import { inStatements, texts } from '../../database/arrays.ts';
import type { Query, Queryable, Row, Sql } from '../../database/connection.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { hasPart, type NumberPart, readPart } from './number-part.ts';

/** Search for recipients: digits of a number, or a text. */
export interface RecipientSearch {
  /** Part of the number; undefined for a text. */
  readonly number?: NumberPart;
  /** Digits as they were typed; '' for a text. */
  readonly digits: string;
  /** Text in lower case; '' for a number. */
  readonly text: string;
}

/** Parses what a person typed. A text of digits, blanks and `+-().` is a number; an empty one matches everyone. */
export function readSearch(
  typed: string,
  numbers: Pick<NumberReader, 'parse' | 'homeCode'>,
): RecipientSearch {
  const text = typed.trim().normalize('NFC').toLowerCase();
  if (!/\d/.test(text) || /[^\d\s+().-]/.test(text)) return { text, digits: '' };
  return { text: '', digits: text.replaceAll(/\D/g, ''), number: readPart(text, numbers) };
}

/** Condition that a contact (alias `c`) matches a search: its number, or one of its fields. */
function matches(sql: Queryable, { number, text }: RecipientSearch): Query<Row[]> {
  if (number) return hasPart(sql, sql`c.phone`, number);
  if (text === '') return sql`true`;
  return sql`strpos(lower(concat_ws(chr(10), c.df1, c.df2, c.df3, c.df4, c.df5, c.df6)), ${text}) > 0`;
}

/**
 * Returns up to `limit` distinct numbers of all contact lists of an account that match a search, in order, after `after` (''
 * for the first page). Each list is read in the order of its key, so a page without a search costs `limit` rows of each list.
 */
export async function searchContacts(
  sql: Sql,
  accountId: number,
  search: RecipientSearch,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ phone: string }[]>`
    SELECT DISTINCT found.phone
    FROM contact_lists l CROSS JOIN LATERAL (
      SELECT c.phone FROM contacts c
      WHERE c.account_id = ${accountId} AND c.list_id = l.id AND c.phone > ${after} AND ${matches(sql, search)}
      ORDER BY c.phone LIMIT ${limit}) AS found
    WHERE l.account_id = ${accountId} AND l.removed_at IS NULL
    ORDER BY found.phone LIMIT ${limit}`;
  return rows.map(({ phone }) => phone);
}

/** Returns those of these numbers that are in a contact list and match a search. */
export async function matchingContacts(
  sql: Sql,
  accountId: number,
  phones: readonly string[],
  search: RecipientSearch,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of inStatements(phones)) {
    const rows = await sql<{ phone: string }[]>`
      SELECT DISTINCT c.phone FROM contact_lists l
      JOIN contacts c ON c.account_id = l.account_id AND c.list_id = l.id
      WHERE l.account_id = ${accountId} AND l.removed_at IS NULL AND c.account_id = ${accountId}
        AND c.phone = ANY(${texts(some)}::text[]) AND ${matches(sql, search)}`;
    for (const { phone } of rows) found.add(phone);
  }
  return found;
}
