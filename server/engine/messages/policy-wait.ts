import type { Sql } from '../../database/connection.ts';
import { ownCodes } from '../../kit/statuses.ts';
import { RESTING_MS } from './resting.ts';
import type { ShipmentRow } from './shipments.ts';

const policyCodes: ReadonlySet<string | null> = new Set([ownCodes.sendingHours, ownCodes.frequencyCap]);

/**
 * Returns the time at which a shipment continues, in milliseconds since the epoch, while the sending policy of its
 * account delays all its remaining messages; null when it is not delayed by a policy.
 */
export async function policyWaitOf(
  sql: Sql,
  accountId: number,
  { id, lane, due_at, paused_at }: ShipmentRow,
  now: number,
): Promise<number | null> {
  if (paused_at !== null) return null;
  const [[batch], [campaign]] = await Promise.all([
    sql<{ due_at: number; first_id: number }[]>`
      SELECT due_at, first_id FROM dispatch_batches
      WHERE account_id = ${accountId} AND lane = ${lane} AND held_shipment_id = ${id} AND due_at < ${RESTING_MS}
      ORDER BY due_at LIMIT 1`,
    sql<{ next_at: number }[]>`
      SELECT next_at FROM campaigns WHERE account_id = ${accountId} AND id = ${id} AND next_at < ${RESTING_MS}`,
  ]);
  const next = Math.min(
    batch?.due_at ?? Number.POSITIVE_INFINITY,
    campaign?.next_at ?? Number.POSITIVE_INFINITY,
  );
  if (next <= now || !Number.isFinite(next)) return null;
  // Only a policy starts a campaign later than requested.
  if (next === campaign?.next_at) return next > due_at ? next : null;
  const [message] = await sql<{ code: string | null }[]>`
    SELECT code FROM messages WHERE account_id = ${accountId} AND id = ${batch!.first_id}`;
  return policyCodes.has(message?.code ?? null) ? next : null;
}
