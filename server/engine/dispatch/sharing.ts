/** A participant in a shared load. */
interface Sharer {
  readonly name: string;
  /** Positive. */
  readonly weight: number;
}

/**
 * Shares messages by weight, evenly over time: with weights 3 and 1, every fourth message goes to the second (smooth
 * weighted round-robin, like nginx).
 */
export class Sharing {
  readonly #credit = new Map<string, number>();

  /** Returns the next sharer among those that can accept a message. Throws TypeError for an empty list. */
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
