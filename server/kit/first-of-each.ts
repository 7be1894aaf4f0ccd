/** Returns the first item for each key. */
export const firstOfEach = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T> =>
  new Map(items.toReversed().map((item) => [keyOf(item), item]));
