import { TEXT_CHANNEL } from '../channel-contract/channels.ts';
import type { Queryable, Sql } from '../database/connection.ts';
import { status } from '../statuses.ts';
import { hourFloor, hourOf } from './hours.ts';
import { stateSql } from './states.ts';

/** Digits of a number by which deliveries are counted: country and, in most countries, the kind of the number. */
export const DELIVERY_PREFIX_DIGITS = 5;
/** A message that has no final status so long after it was submitted counts as silent. */
const SILENT_MS = 1_800_000;
/** The rates of a week are compared with those of now. */
const KEEP_HOURS = 8 * 24;

/**
 * Counts the SMS of an hour by the first digits of their numbers and their connector, in the transaction that counts the
 * hour: those that a connector took or the carrier refused. What no connector had (no credit, the blacklist) is left out.
 */
export async function countDeliveries(
  tx: Queryable,
  accountId: number,
  hour: number,
  now: number,
): Promise<void> {
  await tx`
    INSERT INTO delivery_hours (account_id, hour, prefix, connector, delivered, failed, silent)
    SELECT account_id, ${hour}::integer, prefix, link, count(*) FILTER (WHERE state IN ('delivered', 'read')),
      count(*) FILTER (WHERE state = 'failed'),
      count(*) FILTER (WHERE state = 'submitted' AND handed_at < ${now - SILENT_MS})
    FROM (
      SELECT m.account_id, left(m.recipient, ${DELIVERY_PREFIX_DIGITS}::integer) AS prefix, m.link, m.handed_at,
        ${stateSql(tx)} AS state
      FROM messages m
      WHERE m.account_id = ${accountId} AND m.id >= ${hourFloor(hour)} AND m.id < ${hourFloor(hour + 1)}
        AND m.channel = ${TEXT_CHANNEL} AND m.link IS NOT NULL AND m.status <> ${status.blockedOnRequest}
    ) AS of_hour
    GROUP BY account_id, prefix, link
    ON CONFLICT (account_id, hour, prefix, connector) DO UPDATE SET delivered = excluded.delivered,
      failed = excluded.failed, silent = excluded.silent`;
}

/** Removes what nothing is compared with any more. */
export async function cleanUpDeliveryHours(sql: Sql, now: number): Promise<void> {
  await sql`DELETE FROM delivery_hours WHERE hour < ${hourOf(now) - KEEP_HOURS}`;
}
