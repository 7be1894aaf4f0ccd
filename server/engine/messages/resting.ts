import type { Queryable } from '../../database/connection.ts';

/*
 * Work of a suspended account rests: its due times are RESTING_MS later, in a range that no clock reaches. So no query
 * finds it, and resuming subtracts the same number.
 */

/** Milliseconds added to the due time of resting work. */
export const RESTING_MS = 4_000_000_000_000_000;

/** Due times from RESTING_MS up to this one belong to resting work. Later ones are paused or in quarantine. */
const RESTING_END = 5_000_000_000_000_000;

/** Whether work with this due time (milliseconds since the epoch) rests. */
export const isResting = (dueAt: number): boolean => dueAt >= RESTING_MS && dueAt < RESTING_END;

/**
 * Returns the due time before the work was put to rest, in milliseconds since the epoch; other due times stay
 * unchanged.
 */
export const wokenAt = (dueAt: number): number => (isResting(dueAt) ? dueAt - RESTING_MS : dueAt);

/** Returns the condition that a row rests, by its column with the due time. */
export const restingSql = (sql: Queryable, column: 'due_at' | 'next_at') =>
  column === 'due_at'
    ? sql`due_at >= ${RESTING_MS} AND due_at < ${RESTING_END}`
    : sql`next_at >= ${RESTING_MS} AND next_at < ${RESTING_END}`;
