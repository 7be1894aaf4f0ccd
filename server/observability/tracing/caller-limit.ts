/** Counts requests by account within a second: a caller chooses what is traced of its own, but not how much. */
export class CallerLimit {
  readonly #perSecond: number;
  readonly #counts = new Map<number, number>();
  #second = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether one more request of the account may be traced; `now` in milliseconds, of any clock that goes on. */
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
