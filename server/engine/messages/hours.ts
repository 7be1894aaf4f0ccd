import { idFloor } from '../../kit/ids.ts';

/* Messages are counted by hours since the epoch. */

export const HOUR_MS = 3_600_000;

/** Returns the hour of a time in milliseconds since the epoch. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

/** Returns the smallest id of an hour. */
export const hourFloor = (hour: number): number => idFloor(hour * HOUR_MS);
