/* Discrete events on a machine: cores that threads share, a disk with grouped flushes, and locks. Times are in microseconds. */

/** A function that is called when something has ended. */
export type Then = () => void;

/** Events in the order of their times. */
export class Timeline {
  now = 0;
  /** Binary heap. Events of the same time run in the order in which they were added. */
  readonly #heap: { readonly at: number; readonly order: number; readonly then: Then }[] = [];
  #added = 0;

  after(microseconds: number, then: Then): void {
    const event = { at: this.now + microseconds, order: this.#added++, then };
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = event;
  }

  /** Runs all events up to a time. */
  runUntil(end: number): void {
    while (this.#heap.length > 0 && this.#heap[0]!.at <= end) {
      const { at, then } = this.#next();
      this.now = at;
      then();
    }
    this.now = end;
  }

  #next() {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !isBefore(heap[child]!, last)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

interface Timed {
  readonly at: number;
  readonly order: number;
}

const isBefore = (one: Timed, other: Timed) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** The main thread of a process, which runs one task at a time. */
export class Thread {
  readonly #cores: Cores;
  readonly #tasks: { readonly cpu: number; readonly then: Then }[] = [];
  #isRunning = false;
  /** CPU used. */
  used = 0;

  constructor(cores: Cores) {
    this.#cores = cores;
  }

  run(cpu: number, then: Then): void {
    this.#tasks.push({ cpu, then });
    this.#start();
  }

  #start(): void {
    if (this.#isRunning || this.#tasks.length === 0) return;
    this.#isRunning = true;
    const { cpu, then } = this.#tasks.shift()!;
    this.#cores.run(cpu, () => {
      this.used += cpu;
      this.#isRunning = false;
      then();
      this.#start();
    });
  }
}

/** The cores of the machine. A task keeps its core until it ends. */
export class Cores {
  readonly #timeline: Timeline;
  #free: number;
  readonly #ready: { readonly cpu: number; readonly then: Then }[] = [];

  constructor(timeline: Timeline, count: number) {
    this.#timeline = timeline;
    this.#free = count;
  }

  run(cpu: number, then: Then): void {
    this.#ready.push({ cpu, then });
    this.#start();
  }

  #start(): void {
    while (this.#free > 0 && this.#ready.length > 0) {
      const { cpu, then } = this.#ready.shift()!;
      this.#free--;
      this.#timeline.after(cpu, () => {
        this.#free++;
        then();
        this.#start();
      });
    }
  }
}

/** Writes the log of the database: commits that come during a flush share the next one. */
export class Disk {
  readonly #timeline: Timeline;
  readonly #flushTime: number;
  #waiting: Then[] = [];
  #isFlushing = false;
  /** Time with a flush. */
  used = 0;

  constructor(timeline: Timeline, flushTime: number) {
    this.#timeline = timeline;
    this.#flushTime = flushTime;
  }

  flush(then: Then): void {
    this.#waiting.push(then);
    if (!this.#isFlushing) this.#start();
  }

  #start(): void {
    const flushed = this.#waiting;
    this.#waiting = [];
    this.#isFlushing = true;
    this.#timeline.after(this.#flushTime, () => {
      this.#isFlushing = false;
      this.used += this.#flushTime;
      for (const then of flushed) then();
      if (this.#waiting.length > 0 && !this.#isFlushing) this.#start();
    });
  }
}

/** Sessions of PostgreSQL: each transaction uses a core, and then waits for the disk. */
export class Database {
  readonly #cores: Cores;
  readonly #disk: Disk;
  /** CPU used. */
  used = 0;

  constructor(cores: Cores, disk: Disk) {
    this.#cores = cores;
    this.#disk = disk;
  }

  commit(cpu: number, then: Then): void {
    this.#cores.run(cpu, () => {
      this.used += cpu;
      this.#disk.flush(then);
    });
  }
}

/** Locks of wallets. */
export class Locks {
  readonly #timeline: Timeline;
  readonly #held = new Map<number, Then[]>();
  readonly #since = new Map<number, number>();
  /** Time that each lock was held. */
  readonly used = new Map<number, number>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Takes locks one after the other, as a statement locks rows in their order. */
  take(keys: readonly number[], then: Then, from = 0): void {
    if (from === keys.length) {
      then();
      return;
    }
    const key = keys[from]!;
    const next = () => {
      this.#since.set(key, this.#timeline.now);
      this.take(keys, then, from + 1);
    };
    const waiting = this.#held.get(key);
    if (waiting) {
      waiting.push(next);
      return;
    }
    this.#held.set(key, []);
    next();
  }

  release(keys: readonly number[]): void {
    for (const key of keys) {
      this.used.set(key, (this.used.get(key) ?? 0) + this.#timeline.now - this.#since.get(key)!);
      const waiting = this.#held.get(key)!;
      const next = waiting.shift();
      if (next) next();
      else this.#held.delete(key);
    }
  }
}
