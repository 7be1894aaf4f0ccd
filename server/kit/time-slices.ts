/*
 * Long computations in slices. Everything shares the event loop: a computation of more than a few milliseconds pauses
 * regularly, so that requests, carriers and timers run. Each turn of the loop runs only one slice, however many
 * computations there are.
 */

/** Milliseconds after which a computation pauses. Ten slices are still far below the limit of 100 ms. */
const SLICE_MS = 8;

/** Items between two reads of the clock, which cost 40 ns each. */
const ITEMS_A_LOOK = 64;

const waiting: (() => void)[] = [];

function runNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(runNext);
}

/** Resolves in a later turn of the event loop, in which no other slice runs. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runNext);
  });
}

/** The time of one computation; shows when it must pause. */
export class TimeSlice {
  #end = performance.now() + SLICE_MS;
  #items = 0;

  /** Counts an item. Returns true when it is time for `rest`; reads the clock once per 64 items. */
  get isOver(): boolean {
    return ++this.#items % ITEMS_A_LOOK === 0 && this.isOverNow;
  }

  /** Whether it is time for `rest`. */
  get isOverNow(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other work run, and begins the next slice. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + SLICE_MS;
  }
}

const DONE = Promise.resolve();

/** Calls `visit` for each item in order, in slices. Short lists run without a pause. */
export function forEachInSlices<T>(
  items: Iterable<T>,
  visit: (item: T, index: number) => void,
  slice?: TimeSlice,
): Promise<void> {
  // Without the clock and without a new promise: most requests have one recipient.
  if (slice || !Array.isArray(items) || items.length >= ITEMS_A_LOOK)
    return visitInSlices(items, visit, slice ?? new TimeSlice());
  for (let index = 0; index < items.length; index++) visit(items[index], index);
  return DONE;
}

async function visitInSlices<T>(
  items: Iterable<T>,
  visit: (item: T, index: number) => void,
  slice: TimeSlice,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    visit(item, index++);
    if (slice.isOver) await slice.rest();
  }
}

/** As `Array.map`, in slices. */
export async function mapInSlices<T, U>(
  items: Iterable<T>,
  map: (item: T, index: number) => U,
  slice?: TimeSlice,
): Promise<U[]> {
  const mapped: U[] = [];
  await forEachInSlices(items, (item, index) => mapped.push(map(item, index)), slice);
  return mapped;
}

/** Number of values sorted in one piece. */
const SORT_RUN = 4_000;

/** Sorts texts by their UTF-16 units, as `Array.sort` does, in slices. Returns a new array. */
export async function sortInSlices(values: readonly string[]): Promise<string[]> {
  const slice = new TimeSlice();
  let runs: string[][] = [];
  for (let start = 0; start < values.length; start += SORT_RUN) {
    runs.push(values.slice(start, start + SORT_RUN).sort());
    if (slice.isOverNow) await slice.rest();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i]!, runs[i + 1] ?? [], slice));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(first: string[], second: string[], slice: TimeSlice): Promise<string[]> {
  if (second.length === 0) return first;
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < first.length || j < second.length) {
    if (slice.isOver) await slice.rest();
    const takesFirst = j === second.length || (i < first.length && first[i]! <= second[j]!);
    merged.push(takesFirst ? first[i++]! : second[j++]!);
  }
  return merged;
}
