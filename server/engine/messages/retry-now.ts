import type { Queryable } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { RESTING_MS } from './resting.ts';

/** Returns the condition on `dispatch_batches` for those in which this message is still to be submitted. */
export const batchesWith = (sql: Queryable, { id, batch_id }: { id: number; batch_id: number }) =>
  sql`first_id <= ${id} AND last_id >= ${id}
    AND ((id = ${batch_id} AND message_ids IS NULL) OR ${id}::bigint = ANY(message_ids))`;

/**
 * Makes a message due that waits for its next attempt, together with the waiting messages of its batch. Throws Refusal
 * `not-found` when the account has no such message, and `not-now` when the message does not wait for an attempt: it is
 * scheduled, paused, being submitted, or final.
 */
export async function retryNow(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  accountId: number,
  id: number,
): Promise<void> {
  const [message] = await sql<
    { id: number; batch_id: number; handed_at: number | null; final_at: number | null }[]
  >`
    SELECT id, batch_id, handed_at, final_at FROM messages WHERE account_id = ${accountId} AND id = ${id}`;
  if (!message) throw new Refusal('not-found', 'no such message');
  const now = clock.now();
  const { count } =
    message.handed_at === null && message.final_at === null
      ? await sql`
          UPDATE dispatch_batches SET due_at = ${now}
          WHERE account_id = ${accountId} AND ${batchesWith(sql, message)}
            AND attempt > 0 AND due_at > ${now} AND due_at < ${RESTING_MS} AND ${isFree(sql, leaseClock.now())}`
      : { count: 0 };
  if (count === 0)
    throw new Refusal('not-now', 'the message does not wait for another attempt', undefined, {
      reason: 'no-attempt-waits',
    });
}
