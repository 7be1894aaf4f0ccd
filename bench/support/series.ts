import { sharedNow } from './child.ts';

/** Points of a count over time: milliseconds of `sharedNow` and the count at that time. */
export type Series = readonly (readonly [at: number, count: number])[];

/** Watches a count, every 50 ms and where it changes only. */
export function watch(count: () => number): { series: () => Series; restart: () => void } {
  let points: [number, number][] = [[sharedNow(), count()]];
  setInterval(() => {
    const now = count();
    if (now !== points.at(-1)![1]) points.push([sharedNow(), now]);
  }, 50).unref();
  return {
    series: () => [...points, [sharedNow(), count()]],
    restart() {
      points = [[sharedNow(), count()]];
    },
  };
}

/** When a series reached a count, between its points. Throws when it never did. */
export function reachedAt(series: Series, count: number): number {
  const index = series.findIndex(([, value]) => value >= count);
  if (index < 0) throw new Error(`the count ${count} was not reached`);
  const [at, value] = series[index]!;
  const [beforeAt, before] = series[index - 1] ?? [at, value];
  if (value === before) return at;
  return beforeAt + ((count - before) / (value - before)) * (at - beforeAt);
}
