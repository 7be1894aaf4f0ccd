import { accountsOf, numbers } from '../../database/arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { hasKey, keyRows } from '../../database/leases.ts';
import { countDeliveries } from './delivery-hours.ts';
import { type AccountHour, hourRows } from './hour-rows.ts';
import { stateSql } from './states.ts';

/* Counts the messages of hours. The hours of several accounts share statements: one at a time took 2 ms and an fsync. */

/** Maximum hours that are counted together, and messages of these according to their last counts. */
const MAX_HOURS = 100;
const MAX_MESSAGES = 20_000;

/** Groups hours of one placement that are counted together, by their last counts. A large hour is a group. */
export async function groupsOfHours(
  sql: Queryable,
  hours: readonly AccountHour[],
): Promise<readonly (readonly AccountHour[])[]> {
  if (hours.length === 1) return [hours];
  const rows = await sql<{ accountId: number; hour: number; count: number }[]>`
    SELECT account_id AS "accountId", hour,
      sum(waiting + handed_over + delivered + read + failed + cancelled)::float8 AS count
    FROM message_hours
    WHERE account_id = ANY(${accountsOf(hours)}::bigint[])
      AND hour = ANY(${numbers([...new Set(hours.map(({ hour }) => hour))])}::integer[])
    GROUP BY account_id, hour`;
  const counts = new Map(rows.map(({ accountId, hour, count }) => [`${accountId}/${hour}`, count]));
  const groups: AccountHour[][] = [];
  let messages = Number.POSITIVE_INFINITY;
  for (const one of hours) {
    const count = counts.get(`${one.accountId}/${one.hour}`) ?? 0;
    if (messages + count > MAX_MESSAGES || groups.at(-1)!.length === MAX_HOURS) {
      groups.push([]);
      messages = 0;
    }
    groups.at(-1)!.push(one);
    messages += count;
  }
  return groups;
}

/**
 * Counts hours of accounts of one placement in one transaction. Their marks are deleted first: another process that
 * counts one of the hours waits for this one and finds no mark, and later commits set a new mark.
 */
export async function countHours(sql: Sql, hours: readonly AccountHour[], now: number): Promise<void> {
  // Sorted, so that two processes cannot deadlock.
  const keys = hours
    .map(({ accountId, hour }) => ({ accountId, id: hour }))
    .sort((a, b) => a.accountId - b.accountId || a.id - b.id);
  await sql.begin(async (tx) => {
    const marked = await tx<AccountHour[]>`
      DELETE FROM message_hours_changed r USING ${keyRows(tx, keys)} WHERE ${hasKey(tx, keys, tx`r.hour`)}
      RETURNING r.account_id AS "accountId", r.hour`;
    if (marked.length === 0) return;
    await countMessages(tx, marked, now);
    await countDeliveries(tx, marked, now);
  });
}

/** Counts the messages of hours by channel and state. */
async function countMessages(tx: Queryable, hours: readonly AccountHour[], now: number): Promise<void> {
  const { from, where, ofHour } = hourRows(tx, hours);
  // OFFSET forces PostgreSQL to read one range per hour.
  await tx`
    INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed,
      cancelled, parts, spent, counted_at)
    SELECT w.account_id, u.hour, c.channel, c.taken, c.waiting, c.handed_over, c.delivered, c.read, c.failed, c.cancelled,
      c.parts, c.spent, ${now}::bigint
    FROM ${from}, LATERAL (
      SELECT channel, count(handed_at) AS taken,
        count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'submitted') AS handed_over,
        count(*) FILTER (WHERE state = 'delivered') AS delivered, count(*) FILTER (WHERE state = 'read') AS read,
        count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
        sum(parts) AS parts,
        coalesce(sum(price) FILTER (WHERE handed_at IS NOT NULL OR final_at IS NULL), 0) AS spent
      FROM (
        SELECT m.channel, m.parts, m.price, m.handed_at, m.final_at, ${stateSql(tx)} AS state
        FROM messages m WHERE ${ofHour}
      ) AS of_hour
      GROUP BY channel OFFSET 0
    ) AS c
    WHERE ${where}
    ON CONFLICT (account_id, hour, channel) DO UPDATE SET taken = excluded.taken, waiting = excluded.waiting,
      handed_over = excluded.handed_over, delivered = excluded.delivered, read = excluded.read,
      failed = excluded.failed, cancelled = excluded.cancelled, parts = excluded.parts, spent = excluded.spent,
      counted_at = excluded.counted_at`;
}
