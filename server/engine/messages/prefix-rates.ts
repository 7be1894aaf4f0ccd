import type { Sql } from '../../database/connection.ts';
import { hourFloor } from './hours.ts';
import { stateSql } from './states.ts';

/** Number of latest messages examined, since the table of hours has no prefixes. */
export const MAX_PREFIX_SAMPLE = 20_000;
const MAX_PREFIXES = 100;
/** Number of digits that distinguish networks: after the home country's code, and of foreign numbers. */
const HOME_DIGITS = 2;
const ABROAD_DIGITS = 3;

/** Outcomes of messages to numbers with one prefix, or to mailboxes of one domain. */
export interface PrefixRate {
  readonly channel: number;
  /** International digits, or `@` and a domain. */
  readonly prefix: string;
  readonly accepted: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
}

/**
 * Returns delivery rates by prefix among the latest messages of an account in the hours from `from` (inclusive) to `to`
 * (exclusive), the most frequent prefix first. Reads a bounded number of messages by their primary key.
 *
 * @param homeCode calling code of the home country
 */
export async function prefixRates(
  sql: Sql,
  accountId: number,
  { from, to, homeCode }: { readonly from: number; readonly to: number; readonly homeCode: string },
): Promise<{ readonly sample: number; readonly rates: readonly PrefixRate[] }> {
  const rows = await sql<(PrefixRate & { readonly sample: number })[]>`
    SELECT channel, prefix, count(*)::int AS accepted, (count(*) FILTER (WHERE state = 'delivered'))::int AS delivered,
      (count(*) FILTER (WHERE state = 'read'))::int AS read, (count(*) FILTER (WHERE state = 'failed'))::int AS failed,
      (sum(count(*)) OVER ())::int AS sample
    FROM (
      SELECT m.channel, ${stateSql(sql)} AS state, CASE
        WHEN m.recipient LIKE '%@%' THEN '@' || split_part(m.recipient, '@', 2)
        WHEN m.recipient LIKE ${`${homeCode}%`} THEN left(m.recipient, ${homeCode.length + HOME_DIGITS}::int)
        ELSE left(m.recipient, ${ABROAD_DIGITS}::int) END AS prefix
      FROM messages m
      WHERE m.account_id = ${accountId} AND m.id >= ${hourFloor(from)} AND m.id < ${hourFloor(to)}
      ORDER BY m.id DESC LIMIT ${MAX_PREFIX_SAMPLE}
    ) AS latest
    GROUP BY channel, prefix ORDER BY accepted DESC, prefix LIMIT ${MAX_PREFIXES}`;
  return { sample: rows[0]?.sample ?? 0, rates: rows.map(({ sample, ...rate }) => rate) };
}
