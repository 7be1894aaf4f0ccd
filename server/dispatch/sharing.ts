/** One of those that a load is shared by. */
interface Sharer {
  readonly name: string;
  /** More than 0. */
  readonly weight: number;
}

/**
 * Shares messages by weight, evenly over time: of weights 3 and 1, every fourth goes to the second (smooth weighted
 * round-robin, as nginx does it).
 */
export class Sharing {
  readonly #credit = new Map<string, number>();

  /** Whose turn it is, of some that can take one. Throws TypeError when there is none. */
  next<T extends Sharer>(sharers: readonly T[]): T {
    let total = 0;
    let best = sharers[0]!;
    let most = Number.NEGATIVE_INFINITY;
    for (const sharer of sharers) {
      const credit = (this.#credit.get(sharer.name) ?? 0) + sharer.weight;
      this.#credit.set(sharer.name, credit);
      total += sharer.weight;
      if (credit > most) {
        most = credit;
        best = sharer;
      }
    }
    this.#credit.set(best.name, most - total);
    return best;
  }
}
