/** A table of number prefixes with values; the longest matching prefix decides. */
export class PrefixTable<T> {
  readonly #values: ReadonlyMap<string, T>;
  /** Longest first. */
  readonly #lengths: readonly number[];

  constructor(entries: Iterable<readonly [prefix: string, value: T]>) {
    this.#values = new Map(entries);
    const lengths = new Set([...this.#values.keys()].map((prefix) => prefix.length));
    this.#lengths = [...lengths].sort((a, b) => b - a);
  }

  /** Returns the longest prefix of a number (E.164 digits) with its value; undefined if no prefix matches. */
  find(digits: string): { readonly prefix: string; readonly value: T } | undefined {
    for (const length of this.#lengths) {
      const prefix = digits.slice(0, length);
      const value = this.#values.get(prefix);
      if (value !== undefined) return { prefix, value };
    }
    return undefined;
  }
}
