import type { Queryable } from '../database/connection.ts';

/*
 * Work of a suspended account rests: its due times lie RESTING_MS later, in a range that no clock reaches. So nothing looks for
 * it, and resuming subtracts the same number.
 */

/** Milliseconds that are added to the due time of work that rests. */
export const RESTING_MS = 4_000_000_000_000_000;

/** Due times from here on, up to `RESTING_END`, belong to work that rests. Later ones are paused or in quarantine. */
const RESTING_END = 5_000_000_000_000_000;

/** Whether work with this due time (milliseconds since the epoch) rests. */
export const isResting = (dueAt: number): boolean => dueAt >= RESTING_MS && dueAt < RESTING_END;

/** The due time that work had before it was put to rest, in milliseconds since the epoch; other due times stay. */
export const wokenAt = (dueAt: number): number => (isResting(dueAt) ? dueAt - RESTING_MS : dueAt);

/** The condition that the column with a due time says that its row rests. */
export const restingSql = (sql: Queryable, column: 'due_at' | 'next_at') =>
  column === 'due_at'
    ? sql`due_at >= ${RESTING_MS} AND due_at < ${RESTING_END}`
    : sql`next_at >= ${RESTING_MS} AND next_at < ${RESTING_END}`;
