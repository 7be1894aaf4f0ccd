import { DateTime } from 'luxon';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { CREDIT } from '../../modules/accounts/money.ts';

/** Free button and carousel messages of an account per calendar month (interface, "Limits"). */
const FREE_A_MONTH = 1_000;
/** Price of each further one in addition to its conversation, in ten-thousandths of a credit. */
const EXTRA_PRICE = CREDIT / 2;

/** Returns the calendar month in `zone`, as in chat_months: year × 12 + month. */
export function monthOf(now: number, zone: string): number {
  const { year, month } = DateTime.fromMillis(now, { zone });
  return year * 12 + month;
}

/**
 * Counts button and carousel messages of the account for the month of `now`, and returns the previous count. The count
 * stays locked until the transaction ends, so that two messages cannot both be the last free one.
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

/** Returns the number of button and carousel messages of the account in the month of `now`, without a lock. */
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

/** Returns the number of free messages left in the month after `sent` messages. */
export const freeLeft = (sent: number): number => Math.max(0, FREE_A_MONTH - sent);

/** Returns the price of a message that follows `before` others of the month, in addition to its conversation. */
export function extraPrice(before: number): number {
  return before < FREE_A_MONTH ? 0 : EXTRA_PRICE;
}
