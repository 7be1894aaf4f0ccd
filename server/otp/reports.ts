import type { Sql } from '../database/connection.ts';
import { idFloor, timeOfId } from '../ids.ts';
import type { Rule } from './brake.ts';

/** Milliseconds since the epoch, both included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** An hour's sends to one prefix that one rule stopped. */
export interface BlockRow {
  readonly rule: Rule;
  readonly prefix: string;
  readonly count: number;
  /** The last phone, E.164 digits. */
  readonly phone: string;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What became of the codes to one prefix. */
export interface ConversionRow {
  readonly prefix: string;
  readonly sent: number;
  readonly verified: number;
  /** Different numbers that codes went to, and those of them that used one. */
  readonly phones: number;
  readonly verifiedPhones: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** What was stopped in the span, the latest first; at most `limit` rows. */
export async function blocksOf(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  limit: number,
): Promise<BlockRow[]> {
  const rows = await sql<BlockRow[]>`
    SELECT rule, prefix, count, phone, first_at AS "firstAt", last_at AS "lastAt" FROM otp_blocks
    WHERE account_id = ${accountId} AND first_at <= ${to} AND last_at >= ${from}
    ORDER BY last_at DESC, rule, prefix LIMIT ${limit}`;
  return [...rows];
}

/** Codes that were sent in the span by prefix, those with the most unused first; at most `limit` rows. */
export async function conversionOf(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  limit: number,
): Promise<ConversionRow[]> {
  const rows = await sql<(Omit<ConversionRow, 'lastAt'> & { lastId: number })[]>`
    SELECT prefix, count(*)::int AS sent, count(verified_at)::int AS verified,
      count(DISTINCT phone)::int AS phones,
      (count(DISTINCT phone) FILTER (WHERE verified_at IS NOT NULL))::int AS "verifiedPhones",
      max(id) AS "lastId"
    FROM otp_sends
    WHERE account_id = ${accountId} AND id >= ${idFloor(from)} AND id < ${idFloor(to + 1)}
    GROUP BY prefix
    ORDER BY count(*) - count(verified_at) DESC, prefix LIMIT ${limit}`;
  return rows.map(({ lastId, ...row }) => ({ ...row, lastAt: timeOfId(lastId) }));
}
