/*
 * One timer for all deadlines of connections. It counts only time in which this process could have noticed a response:
 * after a process was stopped, or its event loop was blocked, it reads the data that arrived before any deadline
 * expires.
 */

const PERIOD_MS = 250;
/** Longer steps of the timer, in milliseconds, are cut to this value, because the process was not running. */
const MAX_STEP_MS = 1_000;

interface Waiting {
  /** Called about every 250 ms with the milliseconds since the last call. */
  passed(milliseconds: number): void;
}

const watched = new Set<Waiting>();
let timer: NodeJS.Timeout | undefined;
let last = 0;

function look(): void {
  const now = performance.now();
  const step = Math.min(now - last, MAX_STEP_MS);
  last = now;
  for (const one of watched) one.passed(step);
}

/** Calls `one` regularly with the elapsed time, until `unwatch`. */
export function watch(one: Waiting): void {
  watched.add(one);
  if (timer) return;
  last = performance.now();
  timer = setInterval(look, PERIOD_MS).unref();
}

export function unwatch(one: Waiting): void {
  watched.delete(one);
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
