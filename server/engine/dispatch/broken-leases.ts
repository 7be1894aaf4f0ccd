import { bigints } from '../../database/binary-arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { fenceByEpoch, hasKey, keyRows } from '../../database/leases.ts';
import { lanes } from '../messages/lanes.ts';
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
