/**
 * Where every module gets the time. A parameter and not `Date.now()`, so that a test or the sandbox (`POST
 * /v1/sandbox/clock`) can move it on. It never goes back.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A jump of the machine's clock by more is looked at before it is believed. */
const JUMP_MS = 30_000;
/** So long a clock has to stay where it has jumped to before it is believed. */
const BELIEVED_AFTER_MS = 60_000;

/**
 * The machine's clock, without jumps that are taken back within a minute: ids, partitions and schedules rest on it. A jump
 * that lasts (a machine that slept, a clock that was set right) is believed after that minute.
 */
export class SteadyClock implements Clock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  #offset: number;
  /** Since when the machine's clock is elsewhere, on the monotonic clock; undefined: it is not. */
  #since: number | undefined;
  #ahead = 0;
  /** Called with a jump in milliseconds when it is noticed (false), and when it is believed (true). */
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

  /** How far the machine's clock has jumped, in milliseconds, as long as that is not believed. */
  get jump(): number | undefined {
    this.now();
    return this.#since === undefined ? undefined : this.#ahead;
  }

  /** Takes the clock as it is now, without waiting whether it stays there. */
  reset(): void {
    this.#since = undefined;
    this.#offset = this.#wall() - this.#monotonic();
  }
}

/** A difference to the shared clock below this is that of two clocks that are set by NTP, in milliseconds. */
const SHARED_DIFFERENCE_MS = 1_000;

/** Reads a clock that all processes share, in milliseconds since the epoch; undefined before its first measurement. */
let sharedTime: () => number | undefined = () => undefined;

/** The machine's clock, or the shared clock where the machine's is wrong. */
function correctedTime(): number {
  const own = Date.now();
  const shared = sharedTime();
  return shared === undefined || Math.abs(own - shared) < SHARED_DIFFERENCE_MS ? own : shared;
}

const steady = new SteadyClock(correctedTime);

/** The machine's clock; that of the database if it differs by more than a second (`shareClock`). */
export const systemClock: Clock = steady;

/**
 * Corrects the clock of this process from now on by one that all processes share, so that they agree when a message is due
 * although the clock of one machine is wrong.
 */
export function shareClock(read: () => number | undefined): void {
  sharedTime = read;
  steady.reset();
}

/** Logs jumps of the machine's clock. */
export function watchClock(told: (milliseconds: number, believed: boolean) => void): void {
  steady.onJump = told;
}

/** What is wrong with the machine's clock, in words, for readiness; undefined when nothing is. */
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

  /** Moves the clock on by `milliseconds` (not negative: windows and ids rest on time never going back). */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError('a clock is only moved forward');
    // Whole, since ids and times in the database are.
    this.#offset += Math.round(milliseconds);
  }

  /** Moves the clock on until it is `offset` milliseconds ahead of the machine's; one that is further ahead stays. */
  advanceTo(offset: number): void {
    this.#offset = Math.max(this.#offset, offset);
  }
}

/** How far a clock is ahead of the machine's on purpose, in milliseconds: what the sandbox's was moved on by. */
export function leadOf(clock: Clock): number {
  return clock instanceof AdjustableClock ? clock.offset : 0;
}
