/**
 * Where every room gets the time from. A parameter and not `Date.now()`, so that a test or the sandbox
 * (`POST /v1/sandbox/clock`) can move it on. It never goes back.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The machine's clock plus an offset that only grows. */
export class AdjustableClock implements Clock {
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Moves the clock on by `milliseconds` (not negative: windows and ids rest on time never going back). */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError('a clock is only moved forward');
    // Whole, since ids and times in the database are.
    this.#offset += Math.round(milliseconds);
  }
}
