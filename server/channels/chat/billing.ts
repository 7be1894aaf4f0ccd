import { DateTime } from 'luxon';
import { CREDIT } from '../../accounts/money.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';

/** Button and carousel messages of an account in a calendar month that cost nothing (interface, "Limits"). */
const FREE_A_MONTH = 1_000;
/** What each of the others costs beside its conversation, in ten-thousandths of a credit. */
const EXTRA_PRICE = CREDIT / 2;

/** The calendar month in `zone`, as chat_months has it: year × 12 + month. */
export function monthOf(now: number, zone: string): number {
  const { year, month } = DateTime.fromMillis(now, { zone });
  return year * 12 + month;
}

/**
 * Counts button and carousel messages of the account for the month that `now` is in, and returns how many there were
 * before. The count is locked until the transaction ends, so that no two messages are the last free one.
 */
export async function countInMonth(
  tx: TransactionSql,
  accountId: number,
  messages: number,
  now: number,
  zone: string,
): Promise<number> {
  const [row] = await tx<{ messages: number }[]>`
    INSERT INTO chat_months AS m (account_id, month, messages)
    VALUES (${accountId}, ${monthOf(now, zone)}, ${messages})
    ON CONFLICT (account_id, month) DO UPDATE SET messages = m.messages + excluded.messages
    RETURNING messages`;
  return row!.messages - messages;
}

/** Button and carousel messages of the account in the month that `now` is in, without a lock. */
export async function sentInMonth(
  sql: Queryable,
  accountId: number,
  now: number,
  zone: string,
): Promise<number> {
  const [row] = await sql<{ messages: number }[]>`
    SELECT messages FROM chat_months WHERE account_id = ${accountId} AND month = ${monthOf(now, zone)}`;
  return row?.messages ?? 0;
}

/** How many more messages of the month cost nothing, when there were `sent`. */
export const freeLeft = (sent: number): number => Math.max(0, FREE_A_MONTH - sent);

/** What the message costs that `before` others of the month came before, beside its conversation. */
export function extraPrice(before: number): number {
  return before < FREE_A_MONTH ? 0 : EXTRA_PRICE;
}
