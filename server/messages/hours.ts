import { idFloor } from '../ids.ts';

/* Hours since the epoch, by which messages are counted. */

export const HOUR_MS = 3_600_000;

/** The hour of a time in milliseconds since the epoch. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

/** The smallest id of an hour. */
export const hourFloor = (hour: number): number => idFloor(hour * HOUR_MS);
