const keptPerNumber = 200;
const keptNumbers = 100_000;

/** What arrived at simulated phones: the last 200 of each of the 100,000 numbers that last got one. */
export class Inbox<T> {
  readonly #arrived = new Map<string, T[]>();

  /** What arrived at the number (international digits), oldest first. */
  list(number: string): readonly T[] {
    return this.#arrived.get(number) ?? [];
  }

  keep(number: string, item: T): void {
    const list = this.#arrived.get(number) ?? [];
    list.push(item);
    if (list.length > keptPerNumber) list.shift();
    // Put last, so that the first number is always the one that has been silent for longest.
    this.#arrived.delete(number);
    this.#arrived.set(number, list);
    dropOldest(this.#arrived, keptNumbers);
  }
}

/** Drops what a map got first until it has `kept` entries. */
export function dropOldest(map: Map<string, unknown>, kept: number): void {
  if (map.size <= kept) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size <= kept) return;
  }
}
