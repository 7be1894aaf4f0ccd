/** Counts to a limit per second. A burst may have as many as a second. */
export class Rate {
  #tokens = 0;
  #at = 0;

  /** Takes a count, at most the amount of a second. Returns false beyond the limit; 0 is no limit. */
  take(perSecond: number, count = 1): boolean {
    if (perSecond === 0) return true;
    const now = performance.now();
    this.#tokens =
      this.#at === 0 ? perSecond : Math.min(perSecond, this.#tokens + ((now - this.#at) / 1_000) * perSecond);
    this.#at = now;
    const taken = Math.min(count, perSecond);
    if (this.#tokens < taken) return false;
    this.#tokens -= taken;
    return true;
  }
}
