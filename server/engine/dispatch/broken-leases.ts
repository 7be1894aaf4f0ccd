import { bigints } from '../../database/binary-arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { fenceByEpoch, hasKey, keyRows } from '../../database/leases.ts';
import type { IdSource } from '../../kit/ids.ts';
import { lanes } from '../messages/lanes.ts';
import { storeWaits } from '../messages/waits.ts';
import type { LoadedBatch } from './batches.ts';
import { CODE_SHARE, MAX_DOUBLINGS } from './copy-pauses.ts';

/**
 * A lease is broken when another process takes it over, or when the process restarts and still has it: the process
 * ended, or lost the database, before the outcomes of all messages of the batch were stored. Messages without an
 * outcome may have reached their recipients, and are submitted again.
 */

/**
 * Returns 1 for a batch whose present lease is broken, else 0. After the first broken lease, only a batch that was
 * submitted counts.
 */
export const brokenBy = (sql: Queryable, owner: string) =>
  sql`(lease_owner IS NOT NULL AND lease_owner <> ${owner} AND (breaks = 0 OR submitting))::int`;

/**
 * Returns the milliseconds that a batch rests if its present lease is broken: `pauseMs` after the second broken lease,
 * twice as long after each further one.
 */
export function restOf(sql: Queryable, owner: string, pauseMs: number) {
  return sql`CASE WHEN ${brokenBy(sql, owner)} = 1 AND breaks > 0 THEN
    (${pauseMs}::bigint * 2 ^ least(breaks - 1, ${MAX_DOUBLINGS})
      * CASE WHEN lane = ${lanes.otp} THEN ${CODE_SHARE}::float8 ELSE 1 END)::bigint ELSE 0 END`;
}

/** A batch that rests after a broken lease. */
export interface RestingBatch {
  readonly accountId: number;
  readonly id: number;
  readonly firstId: number;
  /** Null for a first attempt. */
  readonly messageIds: readonly number[] | null;
  readonly restMs: number;
}

/**
 * Stores why the messages of resting batches wait from `now` on, in milliseconds since the epoch. Rests are rare: a process ended
 * twice with the same batch.
 */
export async function storeRests(
  sql: Queryable,
  ids: IdSource,
  now: number,
  resting: readonly RestingBatch[],
): Promise<void> {
  for (const { accountId, id, firstId, messageIds, restMs } of resting) {
    const subjectId = messageIds === null ? id : await firstBatchOf(sql, accountId, firstId);
    if (subjectId === undefined) continue;
    const wait = { reason: 'unanswered', from: now, until: now + restMs, after: null } as const;
    await storeWaits(sql, [{ ...wait, accountId, id: ids.next(), subjectId, messageIds }]);
  }
}

async function firstBatchOf(
  sql: Queryable,
  accountId: number,
  messageId: number,
): Promise<number | undefined> {
  const [message] = await sql<{ batch_id: number }[]>`
    SELECT batch_id FROM messages WHERE account_id = ${accountId} AND id = ${messageId}`;
  return message?.batch_id;
}

/** The messages of a batch with ids up to `to`, which are about to be submitted. */
export interface SubmittingMark {
  readonly batch: Pick<LoadedBatch, 'accountId' | 'id' | 'epoch'>;
  readonly to: number;
}

/**
 * Stores which messages of batches are about to be submitted, of accounts of one placement. Returns the ids of the
 * batches that `owner` still leases.
 */
export async function markSubmitting(
  sql: Sql,
  owner: string,
  marks: readonly SubmittingMark[],
): Promise<Set<number>> {
  const batches = marks.map(({ batch }) => batch);
  const claims = batches.map(({ epoch }) => ({ owner, epoch }));
  const last = { name: sql`last`, values: sql`${bigints(marks.map(({ to }) => to))}::bigint[]` };
  const rows = await sql<{ id: number }[]>`
    UPDATE dispatch_batches r SET submitting = true, submitted_to = greatest(r.submitted_to, u.last)
    FROM ${keyRows(sql, batches, [...fenceByEpoch.columns(sql, claims), last])}
    WHERE ${hasKey(sql, batches)} AND ${fenceByEpoch.isHeld(sql)}
    RETURNING r.id`;
  return new Set(rows.map(({ id }) => id));
}
