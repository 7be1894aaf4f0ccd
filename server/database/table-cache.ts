import { SharedWork } from '../loop.ts';
import type { Owner } from '../owners.ts';

/** What is not there is looked for again after so long: not more often than guessing would make expensive. */
const LOOK_AGAIN_MS = 100;

interface TableCacheOptions<T> {
  readonly owner: Owner;
  /** How long a change by another process may stay unseen. */
  readonly maxAgeMs: number;
  readonly read: () => Promise<T>;
}

/** A small table that is kept in memory, and read again when it is too old. */
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

  /** What is in memory, however old; undefined before it was read first. */
  get known(): T | undefined {
    return this.#known;
  }

  /** The table as it was no longer ago than `maxAgeMs`. */
  async fresh(): Promise<T> {
    const isFresh = performance.now() - this.#loadedAt < this.#options.maxAgeMs;
    if (!this.#known || !isFresh) await this.#loading.run();
    return this.#known!;
  }

  /** What `look` finds; for what another process may just have made it looks twice. */
  async find<V>(look: (known: T) => V | undefined): Promise<V | undefined> {
    const found = look(await this.fresh());
    if (found !== undefined || performance.now() - this.#loadedAt < LOOK_AGAIN_MS) return found;
    await this.#loading.run();
    return look(this.#known!);
  }

  /** Reads it again. */
  async reload(): Promise<void> {
    const turn = ++this.#turn;
    const known = await this.#options.read();
    // A later look may have come back first.
    if (turn < this.#shown) return;
    this.#shown = turn;
    this.#known = known;
    this.#loadedAt = performance.now();
  }
}
