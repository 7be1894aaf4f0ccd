/**
 * The time source of every module. A parameter in place of `Date.now()`, so that a test or the sandbox (`POST
 * /v1/sandbox/clock`) can move it forward. It never goes back.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Larger jumps of the machine's clock are observed before they are accepted. */
const JUMP_MS = 30_000;
/** Milliseconds that a clock must stay at its new time before a jump is accepted. */
const BELIEVED_AFTER_MS = 60_000;

/**
 * The machine's clock, without jumps that are undone within a minute, because ids, partitions and schedules depend on
 * it. A lasting jump (a machine that slept, a corrected clock) is accepted after that minute.
 */
export class SteadyClock implements Clock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  #offset: number;
  /** Begin of the unaccepted jump on the monotonic clock; undefined: there was no jump. */
  #since: number | undefined;
  #ahead = 0;
  /** Called with a jump in milliseconds when it is detected (false), and when it is accepted (true). */
  onJump: (milliseconds: number, believed: boolean) => void = () => {};

  constructor(wall: () => number, monotonic = () => performance.now()) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#offset = wall() - monotonic();
  }

  now(): number {
    const wall = this.#wall();
    const monotonic = this.#monotonic();
    const ahead = wall - (monotonic + this.#offset);
    if (Math.abs(ahead) < JUMP_MS) {
      this.#since = undefined;
      this.#offset = wall - monotonic;
      return wall;
    }
    this.#ahead = Math.round(ahead);
    if (this.#since === undefined) {
      this.#since = monotonic;
      this.onJump(this.#ahead, false);
    }
    if (monotonic - this.#since < BELIEVED_AFTER_MS) return Math.round(monotonic + this.#offset);
    this.#since = undefined;
    this.#offset = wall - monotonic;
    this.onJump(this.#ahead, true);
    return wall;
  }

  /** Size of an unaccepted jump of the machine's clock, in milliseconds; undefined without one. */
  get jump(): number | undefined {
    this.now();
    return this.#since === undefined ? undefined : this.#ahead;
  }

  /** Accepts the current time immediately. */
  reset(): void {
    this.#since = undefined;
    this.#offset = this.#wall() - this.#monotonic();
  }
}

/** Smaller differences from the shared clock, in milliseconds, are normal for two clocks synchronised by NTP. */
const SHARED_DIFFERENCE_MS = 1_000;

/** Reads a clock that all processes share, in milliseconds since the epoch; undefined before its first measurement. */
let sharedTime: () => number | undefined = () => undefined;

/** Returns the machine's time, or the shared time if the machine's clock is wrong. */
function correctedTime(): number {
  const own = Date.now();
  const shared = sharedTime();
  return shared === undefined || Math.abs(own - shared) < SHARED_DIFFERENCE_MS ? own : shared;
}

const steady = new SteadyClock(correctedTime);

/** The machine's clock; that of the database if it differs by more than a second (`shareClock`). */
export const systemClock: Clock = steady;

/**
 * From now on, corrects the clock of this process by one that all processes share. So they agree on due times even if
 * the clock of one machine is wrong.
 */
export function shareClock(read: () => number | undefined): void {
  sharedTime = read;
  steady.reset();
}

/** Logs jumps of the machine's clock. */
export function watchClock(told: (milliseconds: number, believed: boolean) => void): void {
  steady.onJump = told;
}

/** Returns the problem of the machine's clock in words, for readiness; undefined without one. */
export function clockJump(): string | undefined {
  const { jump } = steady;
  if (jump === undefined) return undefined;
  return `the machine's clock has jumped by ${Math.round(jump / 1_000)} s and is believed when it stays there for a minute`;
}

/** The machine's clock plus an offset that only grows. */
export class AdjustableClock implements Clock {
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  now(): number {
    return steady.now() + this.#offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /**
   * Moves the clock forward by `milliseconds` (not negative, because windows and ids depend on time never going back).
   */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError('a clock is only moved forward');
    // Rounded, because ids and times in the database are whole numbers.
    this.#offset += Math.round(milliseconds);
  }

  /**
   * Moves the clock forward until it is `offset` milliseconds ahead of the machine's; a clock that is further ahead
   * stays unchanged.
   */
  advanceTo(offset: number): void {
    this.#offset = Math.max(this.#offset, offset);
  }
}

/** Returns the milliseconds by which a sandbox clock is intentionally ahead of the machine's; 0 for other clocks. */
export function leadOf(clock: Clock): number {
  return clock instanceof AdjustableClock ? clock.offset : 0;
}
