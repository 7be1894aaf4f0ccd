/**
 * Limits the traced requests per account and second: callers choose which of their requests are traced, but not how
 * many.
 */
export class CallerLimit {
  readonly #perSecond: number;
  readonly #counts = new Map<number, number>();
  #second = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether one more request of the account may be traced. `now` in milliseconds of a monotonic clock. */
  takes(accountId: number, now: number): boolean {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const count = (this.#counts.get(accountId) ?? 0) + 1;
    this.#counts.set(accountId, count);
    return count <= this.#perSecond;
  }
}
