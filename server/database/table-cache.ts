import { SharedWork } from '../kit/loop.ts';
import type { Owner } from '../kit/owners.ts';

/** Minimum milliseconds between two lookups of an unknown key, so that guessing keys stays cheap. */
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
  #loadedAt = 0;
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
    return this.#known !== undefined && performance.now() - this.#loadedAt < this.#options.maxAgeMs;
  }

  /** Returns the table at most `maxAgeMs` old. */
  async fresh(): Promise<T> {
    if (!this.#isFresh) await this.#loading.run();
    return this.#known!;
  }

  /**
   * Returns the result of `look`. If it finds nothing, rereads the table once, in case another process has just added
   * the row.
   */
  find<V>(look: (known: T) => V | undefined): Promise<V | undefined> {
    // Each request looks accounts up, so what is in memory takes one promise.
    const found = this.#isFresh ? look(this.#known!) : undefined;
    return found === undefined ? this.#findSlowly(look) : Promise.resolve(found);
  }

  async #findSlowly<V>(look: (known: T) => V | undefined): Promise<V | undefined> {
    const found = look(await this.fresh());
    if (found !== undefined || performance.now() - this.#loadedAt < LOOK_AGAIN_MS) return found;
    await this.#loading.run();
    return look(this.#known!);
  }

  /** Rereads the table. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    const known = await this.#options.read();
    // A later read may have returned first.
    if (turn < this.#shown) return;
    this.#shown = turn;
    this.#known = known;
    this.#loadedAt = performance.now();
  }
}
