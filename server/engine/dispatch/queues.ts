import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isLeased } from '../../database/leases.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { RESTING_MS, restingSql } from '../messages/resting.ts';

/** Limits of the age classes of waiting messages, in milliseconds; the last class has no limit. */
export const ageBounds = [1_000, 10_000, 60_000, 600_000] as const;

/** Queue of a lane. */
interface LaneQueue {
  readonly lane: number;
  /** Due messages without a result, and the number of them that a process has leased. */
  readonly due: number;
  readonly taken: number;
  /** Due messages by age class, youngest first; one more class than `ageBounds`. */
  readonly byAge: readonly number[];
  /** Milliseconds since the oldest became due; 0 without due messages. */
  readonly oldestMs: number;
  /** Scheduled messages, and those of paused shipments. */
  readonly later: number;
  readonly paused: number;
  /** Messages of suspended accounts. */
  readonly resting: number;
}

/** Due messages of an account. */
interface AccountQueue {
  readonly accountId: number;
  readonly lane: number;
  readonly due: number;
  readonly oldestMs: number;
}

/**
 * Returns the queues by lane, of all accounts or of one. A batch counts completely until all its messages have a
 * result.
 */
export async function queuesByLane(sql: Sql, now: number, accountId?: number): Promise<LaneQueue[]> {
  const [first, second, third, fourth] = ageBounds.map((age) => now - age);
  const rows = await sql<
    {
      lane: number;
      due: number;
      taken: number;
      ages: number[];
      oldest: number | null;
      later: number;
      paused: number;
      resting: number;
    }[]
  >`
    SELECT lane,
      coalesce(sum(count) FILTER (WHERE due_at <= ${now}), 0)::int AS due,
      coalesce(sum(count) FILTER (WHERE due_at <= ${now} AND ${isLeased(sql, leaseClock.now())}), 0)::int AS taken,
      ARRAY[
        coalesce(sum(count) FILTER (WHERE due_at <= ${now} AND due_at > ${first!}), 0),
        coalesce(sum(count) FILTER (WHERE due_at <= ${first!} AND due_at > ${second!}), 0),
        coalesce(sum(count) FILTER (WHERE due_at <= ${second!} AND due_at > ${third!}), 0),
        coalesce(sum(count) FILTER (WHERE due_at <= ${third!} AND due_at > ${fourth!}), 0),
        coalesce(sum(count) FILTER (WHERE due_at <= ${fourth!}), 0)]::int[] AS ages,
      min(due_at) FILTER (WHERE due_at <= ${now}) AS oldest,
      coalesce(sum(count) FILTER (WHERE due_at > ${now} AND due_at < ${RESTING_MS}), 0)::int AS later,
      coalesce(sum(count) FILTER (WHERE due_at = ${PAUSED_AT}), 0)::int AS paused,
      coalesce(sum(count) FILTER (WHERE ${restingSql(sql, 'due_at')}), 0)::int AS resting
    FROM dispatch_batches WHERE ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
    GROUP BY lane`;
  return rows.map(({ ages, oldest, ...row }) => ({
    ...row,
    byAge: ages,
    oldestMs: oldest === null ? 0 : now - oldest,
  }));
}

/** Returns the accounts with the most due messages, at most `most`. */
export async function queuesByAccount(sql: Sql, now: number, most: number): Promise<AccountQueue[]> {
  const rows = await sql<{ accountId: number; lane: number; due: number; oldest: number }[]>`
    SELECT account_id AS "accountId", lane, sum(count)::int AS due, min(due_at) AS oldest FROM dispatch_batches
    WHERE due_at <= ${now} GROUP BY account_id, lane ORDER BY sum(count) DESC, account_id LIMIT ${most}`;
  return rows.map(({ oldest, ...row }) => ({ ...row, oldestMs: now - oldest }));
}
