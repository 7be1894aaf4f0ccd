/** The longest stretch of unused allowance that may be used at once. */
const burstSeconds = 0.05;
/** How much is waited for when there is none. */
const wakeSeconds = 0.01;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** Throttled again within this time after a pause: the next pause is twice as long, and the rate is cut. */
const calmMs = 1_000;
const cutTo = 0.7;
const growth = 1.15;
/** No slower than this by itself: a rate this low is the operator's to set, and the pause holds it anyway. */
const slowestRate = 10;
/** A link without a limit of its own is free again from this rate on. */
const freeRate = 50_000;

/**
 * How fast a link may submit: a token bucket for the configured rate, and, after the network said that it is too fast, a pause and a
 * lower rate that grows back while the network takes everything. Times are monotonic milliseconds.
 */
export class Throttle {
  readonly #ceiling: number;
  #rate: number;
  #tokens: number;
  #filledAt: number;
  #pausedUntil = 0;
  #pauseMs = 0;
  #raisedAt = 0;
  #second = 0;
  #sentThisSecond = 0;
  #sentLastSecond = 0;

  /** `messagesPerSecond` 0 is no limit. */
  constructor(messagesPerSecond: number, now: number) {
    this.#ceiling = messagesPerSecond > 0 ? messagesPerSecond : Number.POSITIVE_INFINITY;
    this.#rate = this.#ceiling;
    this.#tokens = this.#burst();
    this.#filledAt = now;
  }

  /** Submits a second that are allowed now; Infinity without a limit. */
  get rate(): number {
    return this.#rate;
  }

  /** How many may be submitted at `now`; Infinity without a limit. */
  available(now: number): number {
    if (now < this.#pausedUntil) return 0;
    if (this.#rate === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    this.#recover(now);
    this.#fill(now);
    return Math.floor(this.#tokens);
  }

  /** Counts one submit. */
  take(now: number): void {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#sentLastSecond = second === this.#second + 1 ? this.#sentThisSecond : 0;
      this.#sentThisSecond = 0;
      this.#second = second;
    }
    this.#sentThisSecond++;
    this.#tokens--;
  }

  /**
   * Milliseconds from `now` until something is available again, rounded up; 0 when it is. Long enough for ten
   * milliseconds' worth, so that a fast link is not woken for every message.
   */
  wait(now: number): number {
    if (now < this.#pausedUntil) return Math.ceil(this.#pausedUntil - now);
    if (this.available(now) >= 1) return 0;
    const wanted = Math.max(1, this.#rate * wakeSeconds);
    return Math.max(1, Math.ceil(((wanted - this.#tokens) / this.#rate) * 1000));
  }

  /**
   * The network said that it is too fast (SMPP: ESME_RTHROTTLED). Answers to what was already on its way when the pause began say
   * nothing new. `asked` is how long it wants to be left alone, in milliseconds, where it says so.
   */
  throttled(now: number, asked = 0): void {
    if (now < this.#pausedUntil) {
      this.#pausedUntil = Math.max(this.#pausedUntil, now + asked);
      return;
    }
    const again = this.#pauseMs > 0 && now - this.#pausedUntil < calmMs;
    this.#pauseMs = again ? Math.min(this.#pauseMs * 2, longestPauseMs) : firstPauseMs;
    this.#pausedUntil = now + Math.max(this.#pauseMs, asked);
    // One throttled message in a calm stretch may be about its recipient; the second is about us.
    if (again) {
      const used = Math.max(this.#sentThisSecond, this.#sentLastSecond, slowestRate);
      this.#setRate(Math.max(slowestRate, cutTo * Math.min(this.#rate, used)));
    }
    this.#tokens = 0;
    this.#filledAt = this.#pausedUntil;
    this.#raisedAt = this.#pausedUntil;
  }

  #recover(now: number): void {
    if (this.#rate >= this.#ceiling) return;
    while (now - this.#raisedAt >= 1000 && this.#rate < this.#ceiling) {
      this.#raisedAt += 1000;
      const raised = this.#rate * growth + 1;
      this.#setRate(raised >= freeRate ? this.#ceiling : raised);
    }
  }

  #setRate(rate: number): void {
    this.#rate = Math.min(rate, this.#ceiling);
    this.#tokens = Math.min(this.#tokens, this.#burst());
  }

  #fill(now: number): void {
    if (now <= this.#filledAt) return;
    const filled = this.#tokens + ((now - this.#filledAt) / 1000) * this.#rate;
    this.#tokens = Math.min(filled, this.#burst());
    this.#filledAt = now;
  }

  #burst(): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return 0;
    return Math.max(1, this.#rate * burstSeconds);
  }
}
