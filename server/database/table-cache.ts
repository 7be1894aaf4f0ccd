import { setTimeout as pause } from 'node:timers/promises';
import { SharedWork } from '../kit/loop.ts';
import type { Owner } from '../kit/owners.ts';

/** Minimum milliseconds between the starts of two reads for unknown keys, so that guessing keys stays cheap. */
const LOOK_AGAIN_MS = 100;

interface TableCacheOptions<T> {
  readonly owner: Owner;
  /** Maximum milliseconds until a change by another process is seen. */
  readonly maxAgeMs: number;
  readonly read: () => Promise<T>;
}

/** A small table cached in memory, and reread when it is too old. */
export class TableCache<T> {
  readonly #options: TableCacheOptions<T>;
  readonly #loading: SharedWork;
  #known: T | undefined;
  /** Start of the read of `known`, monotonic milliseconds. */
  #readAt = Number.NEGATIVE_INFINITY;
  #turn = 0;
  #shown = 0;

  constructor(options: TableCacheOptions<T>) {
    this.#options = options;
    this.#loading = new SharedWork(options.owner, () => this.reload());
  }

  /** The cached table, of any age; undefined before the first read. */
  get known(): T | undefined {
    return this.#known;
  }

  get #isFresh(): boolean {
    return this.#known !== undefined && performance.now() - this.#readAt < this.#options.maxAgeMs;
  }

  /** Returns the table at most `maxAgeMs` old. */
  async fresh(): Promise<T> {
    if (!this.#isFresh) await this.#loading.run();
    return this.#known!;
  }

  /**
   * Returns the result of `look`. It returns undefined only if a read that began after this call found nothing, because another
   * process may have just added the row. Such reads begin at most every 100 ms, and all callers share them.
   */
  find<V>(look: (known: T) => V | undefined): Promise<V | undefined> {
    // Each request looks accounts up, so what is in memory takes one promise.
    const found = this.#isFresh ? look(this.#known!) : undefined;
    return found === undefined ? this.#findAgain(look) : Promise.resolve(found);
  }

  async #findAgain<V>(look: (known: T) => V | undefined): Promise<V | undefined> {
    const asked = performance.now();
    const found = look(await this.fresh());
    if (found !== undefined) return found;
    // A read under way may have begun before the row was there.
    if (this.#readAt < asked && this.#loading.isRunning) await this.#loading.run();
    if (this.#readAt < asked) {
      const early = this.#readAt + LOOK_AGAIN_MS - performance.now();
      if (early > 0) await pause(early);
    }
    if (this.#readAt < asked) await this.#loading.run();
    return look(this.#known!);
  }

  /** Rereads the table. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    const began = performance.now();
    const known = await this.#options.read();
    // A later read may have returned first.
    if (turn < this.#shown) return;
    this.#shown = turn;
    this.#known = known;
    this.#readAt = began;
  }
}
