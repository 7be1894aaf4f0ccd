import { sharedNow } from './child.ts';

/** Points of a count over time: time (`sharedNow`) and count. */
export type Series = readonly (readonly [at: number, count: number])[];

/** Records a count every 50 ms, when it has changed. */
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

/** Returns the time at which a series reached a count, interpolated. Throws when it never did. */
export function reachedAt(series: Series, count: number): number {
  const index = series.findIndex(([, value]) => value >= count);
  if (index < 0) throw new Error(`the count ${count} was not reached`);
  const [at, value] = series[index]!;
  const [beforeAt, before] = series[index - 1] ?? [at, value];
  if (value === before) return at;
  return beforeAt + ((count - before) / (value - before)) * (at - beforeAt);
}
