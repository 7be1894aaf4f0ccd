import type { Sql } from '../database/connection.ts';
import { leaseClock } from '../database/lease-clock.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { RESTING_MS, restingSql } from '../messages/resting.ts';

/** Bounds of the ages that waiting messages are counted by, in milliseconds; the last age has no end. */
export const ageBounds = [1_000, 10_000, 60_000, 600_000] as const;

/** What stands in the queue of a lane. */
interface LaneQueue {
  readonly lane: number;
  /** Messages that are due and have no result; how many of them a process has taken to submit. */
  readonly due: number;
  readonly taken: number;
  /** The due ones by how long they have been so, from the youngest age on; one more than `ageBounds`. */
  readonly byAge: readonly number[];
  /** Milliseconds that the oldest has been due; 0 when none is. */
  readonly oldestMs: number;
  /** Messages whose time is to come, and those of shipments that are paused. */
  readonly later: number;
  readonly paused: number;
  /** Messages of suspended accounts. */
  readonly resting: number;
}

/** Messages of an account that are due. */
interface AccountQueue {
  readonly accountId: number;
  readonly lane: number;
  readonly due: number;
  readonly oldestMs: number;
}

/** The queues, by lane; of one account when it is given. A batch counts whole until all its messages have a result. */
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
      coalesce(sum(count) FILTER (WHERE due_at <= ${now} AND lease_until >= ${leaseClock.now()}), 0)::int AS taken,
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

/** Who waits: accounts with the most messages that are due, at most `most`. */
export async function queuesByAccount(sql: Sql, now: number, most: number): Promise<AccountQueue[]> {
  const rows = await sql<{ accountId: number; lane: number; due: number; oldest: number }[]>`
    SELECT account_id AS "accountId", lane, sum(count)::int AS due, min(due_at) AS oldest FROM dispatch_batches
    WHERE due_at <= ${now} GROUP BY account_id, lane ORDER BY sum(count) DESC, account_id LIMIT ${most}`;
  return rows.map(({ oldest, ...row }) => ({ ...row, oldestMs: now - oldest }));
}
