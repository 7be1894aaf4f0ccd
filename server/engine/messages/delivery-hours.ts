import { TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { status } from '../../kit/statuses.ts';
import { QUALITY_DIGITS } from '../carriers/quality.ts';
import { type AccountHour, hourRows } from './hour-rows.ts';
import { hourOf } from './hours.ts';
import { stateSql } from './states.ts';

/** Milliseconds after submission at which a message without a final status counts as silent. */
const SILENT_MS = 1_800_000;
/** Hours of rates to keep: current rates are compared with those of a week. */
const KEEP_HOURS = 8 * 24;

/**
 * Counts the SMS of hours by the first digits of their numbers and their connector: those that a connector submitted or
 * the carrier rejected. Messages that reached no connector (no credit, blacklist) are not counted. Runs in the
 * transaction that counts the hours.
 */
export async function countDeliveries(
  tx: Queryable,
  hours: readonly AccountHour[],
  now: number,
): Promise<void> {
  const { from, where, ofHour } = hourRows(tx, hours);
  // OFFSET forces PostgreSQL to read one range per hour.
  await tx`
    INSERT INTO delivery_hours (account_id, hour, prefix, connector, delivered, failed, silent, delivery_ms)
    SELECT w.account_id, u.hour, c.prefix, c.link, c.delivered, c.failed, c.silent, c.delivery_ms
    FROM ${from}, LATERAL (
      SELECT prefix, link, count(*) FILTER (WHERE state IN ('delivered', 'read')) AS delivered,
        count(*) FILTER (WHERE state = 'failed') AS failed,
        count(*) FILTER (WHERE state = 'submitted' AND handed_at < ${now - SILENT_MS}) AS silent,
        coalesce(sum(greatest(0, final_at - handed_at)) FILTER (WHERE state IN ('delivered', 'read')), 0) AS delivery_ms
      FROM (
        SELECT left(m.recipient, ${QUALITY_DIGITS}::integer) AS prefix, m.link, m.handed_at, m.final_at,
          ${stateSql(tx)} AS state
        FROM messages m
        WHERE ${ofHour} AND m.channel = ${TEXT_CHANNEL} AND m.link IS NOT NULL AND m.status <> ${status.blockedOnRequest}
      ) AS of_hour
      GROUP BY prefix, link OFFSET 0
    ) AS c
    WHERE ${where}
    ON CONFLICT (account_id, hour, prefix, connector) DO UPDATE SET delivered = excluded.delivered,
      failed = excluded.failed, silent = excluded.silent, delivery_ms = excluded.delivery_ms`;
}

/** Deletes rates that are too old for any comparison. */
export async function cleanUpDeliveryHours(sql: Sql, now: number): Promise<void> {
  await sql`DELETE FROM delivery_hours WHERE hour < ${hourOf(now) - KEEP_HOURS}`;
}
