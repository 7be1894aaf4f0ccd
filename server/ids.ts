import type { Clock } from './clock.ts';

/*
 * Ids are made by us, ordered by time and below 2^53, so that they are plain numbers in JavaScript, JSON and SQL
 * and need no sequence (which a distributed PostgreSQL would hand out in another order on each machine):
 *
 *     41 bits  milliseconds since 2025-01-01 UTC (until 2094)
 *      6 bits  number of the process (0 to 63), leased from the table `processes`
 *      6 bits  counter within the millisecond
 */
/** Of ids, in milliseconds since the epoch, and how many there are in each. */
export const EPOCH = Date.UTC(2025, 0, 1);
export const PER_MILLISECOND = 4096;
const PER_PROCESS = 64;

/** How many processes can make ids at a time. */
export const PROCESS_NUMBERS = PER_MILLISECOND / PER_PROCESS;

/** The smallest id that can have been made at `time` (ms since the epoch) or later. */
export function idFloor(time: number): number {
  return Math.max(0, Math.floor(time) - EPOCH) * PER_MILLISECOND;
}

/** When an id was made, in milliseconds since the epoch. */
export function timeOfId(id: number): number {
  return Math.floor(id / PER_MILLISECOND) + EPOCH;
}

/** Makes ids that only grow. */
export interface IdSource {
  next(): number;
  /** From now on ids are larger than this one, which another process may have made by a clock that is ahead. */
  passOver(id: number): void;
}

/**
 * An id source for one process. A burst of more than 64 ids in a millisecond borrows from the milliseconds to
 * come: 64,000 ids a second can be made for good, and a bulk of 2,500 is at most 40 ms ahead of the clock.
 */
export function createIdSource(processNumber: number, clock: Clock): IdSource {
  if (!Number.isInteger(processNumber) || processNumber < 0 || processNumber >= PROCESS_NUMBERS) {
    throw new RangeError(`process number ${processNumber} is not 0 to ${PROCESS_NUMBERS - 1}`);
  }
  let floor = 0;
  let counter = 0;
  return {
    next() {
      const now = idFloor(clock.now());
      if (now > floor) {
        floor = now;
        counter = 0;
      } else if (counter === PER_PROCESS) {
        floor += PER_MILLISECOND;
        counter = 0;
      }
      return floor + processNumber * PER_PROCESS + counter++;
    },
    passOver(id) {
      const millisecond = id - (id % PER_MILLISECOND);
      if (millisecond < floor) return;
      floor = millisecond + PER_MILLISECOND;
      counter = 0;
    },
  };
}

/** The id source of a command that only reads: it throws. */
export const noIds: IdSource = {
  next() {
    throw new Error('a command that only reads makes no ids');
  },
  passOver() {},
};
