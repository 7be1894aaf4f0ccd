/*
 * One timer for all deadlines of connections. It counts the time that this process could have noticed an answer in: a
 * process that was stopped, or whose event loop was held up, reads what has arrived meanwhile before it gives anything up.
 */

const PERIOD_MS = 250;
/** A longer pause between two looks was not ours to wait in. */
const MAX_STEP_MS = 1_000;

interface Waiting {
  /** Called every 250 ms or so with the milliseconds that have passed since the last call. */
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

/** Tells `one` of the time that passes, until `unwatch`. */
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
