import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import { accountsOf } from '../../database/arrays.ts';
import { bigints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';

/*
 * A chat client is identified by their number (E.164 digits) or, if they hide it, by the id that the platform assigns
 * them for a portfolio: the letters of their country, a full stop, letters and digits (docs/chat-platform.md).
 */

const USER_ID = /^([A-Z]{2})\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;

/**
 * Returns the client that a caller names: by a number in any spelling, or by the platform's id, which becomes the
 * number if known. Returns undefined for other texts.
 */
export async function readClient(
  sql: Queryable,
  reader: Pick<NumberReader, 'parse'>,
  accountId: number,
  text: string,
): Promise<string | undefined> {
  return isUserId(text) ? clientOf(sql, accountId, text) : reader.parse(text)?.digits;
}

/** Whether a client is identified by an id of the platform. */
export const isUserId = (client: string): boolean => USER_ID.test(client);

/** Returns the digits by which a client is priced: the number, or the calling code of the country in the id. */
export function pricedAs(client: string): string {
  const country = USER_ID.exec(client)?.[1];
  if (country === undefined) return client;
  return isSupportedCountry(country) ? getCountryCallingCode(country satisfies CountryCode) : '';
}

/** Returns the stored number of a client who hides it; otherwise the id itself. */
export async function clientOf(sql: Queryable, accountId: number, userId: string): Promise<string> {
  const [row] = await sql<{ phone: string }[]>`
    SELECT phone FROM chat_users WHERE account_id = ${accountId} AND user_id = ${userId}`;
  return row?.phone ?? userId;
}

/** Returns the stored numbers of clients with an id of the platform, by `<account> <id>`. */
export async function numbersOf(
  sql: Queryable,
  users: readonly { readonly accountId: number; readonly userId: string }[],
): Promise<Map<string, string>> {
  if (users.length === 0) return new Map();
  const rows = await sql<{ account_id: number; user_id: string; phone: string }[]>`
    SELECT u.account_id, u.user_id, c.phone FROM unnest(
      ${bigints(users.map(({ accountId }) => accountId))}::bigint[], ${textArray(users.map(({ userId }) => userId))}::text[]
    ) AS u (account_id, user_id), LATERAL (
      SELECT phone FROM chat_users
      WHERE account_id = u.account_id AND account_id = ANY(${accountsOf(users)}::bigint[]) AND user_id = u.user_id OFFSET 0
    ) c`;
  return new Map(rows.map(({ account_id, user_id, phone }) => [`${account_id} ${user_id}`, phone]));
}

/** Locks the knowledge about a client who may hide their number until the transaction ends. */
export async function lockUser(tx: TransactionSql, accountId: number, userId: string): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`chat user ${accountId} ${userId}`}, 0))`;
}

/**
 * Stores the number of an id, so that the conversation continues if the number is hidden later. Returns whether the
 * number was unknown or another one; then the client is locked (`lockUser`).
 */
export async function rememberNumber(
  tx: TransactionSql,
  accountId: number,
  userId: string,
  phone: string,
): Promise<boolean> {
  if ((await clientOf(tx, accountId, userId)) === phone) return false;
  await lockUser(tx, accountId, userId);
  await tx`
    INSERT INTO chat_users AS u (account_id, user_id, phone) VALUES (${accountId}, ${userId}, ${phone})
    ON CONFLICT ON CONSTRAINT chat_users_pkey DO UPDATE SET phone = excluded.phone WHERE u.phone <> excluded.phone`;
  return true;
}
