import type { Queryable } from '../../database/connection.ts';
import { CANCELLED, status } from '../../kit/statuses.ts';

/** Current outcome of a message, for every channel. `read` exists if the network reports it, and implies delivery. */
export const messageStates = ['waiting', 'submitted', 'delivered', 'read', 'failed', 'cancelled'] as const;
export type MessageState = (typeof messageStates)[number];

/** Columns of `messages` that determine its state. */
export interface StateColumns {
  readonly status: number;
  readonly code: string | null;
  readonly handed_at: number | null;
  readonly final_at: number | null;
  readonly read_at: number | null;
}

/** Returns the state of a row of `messages`. */
export function stateOf({ status: ended, code, handed_at, final_at, read_at }: StateColumns): MessageState {
  if (read_at !== null) return 'read';
  if (ended === status.delivered) return 'delivered';
  if (final_at === null) return handed_at === null ? 'waiting' : 'submitted';
  return ended === status.deleted && code === CANCELLED ? 'cancelled' : 'failed';
}

/** Like `stateOf`, for the row `m` of a statement. */
export function stateSql(sql: Queryable) {
  return sql`CASE
    WHEN m.read_at IS NOT NULL THEN 'read'
    WHEN m.status = ${status.delivered} THEN 'delivered'
    WHEN m.final_at IS NULL AND m.handed_at IS NULL THEN 'waiting'
    WHEN m.final_at IS NULL THEN 'submitted'
    WHEN m.status = ${status.deleted} AND m.code = ${CANCELLED} THEN 'cancelled'
    ELSE 'failed' END`;
}
