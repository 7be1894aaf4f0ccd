import type { Logger } from './observability/log.ts';
import { type Owner, supervise } from './owners.ts';

/** Items per statement. */
const GROUP = 2_000;

interface WriteBehindOptions<T> {
  /** Also names the items in the log. */
  readonly owner: Owner;
  readonly log: Logger;
  /** Writes items of one account (or of another grouping number). After a failure the same items may come again. */
  readonly store: (accountId: number, items: readonly T[]) => Promise<void>;
  /** Milliseconds that an item waits for others. Items of this time are lost if the process is killed. */
  readonly waitMs?: number;
  /** Flush immediately when this many items are waiting. */
  readonly enough?: number;
  /** Maximum number of waiting items, about 10 MB; later ones are dropped. */
  readonly max?: number;
  /** Milliseconds to pause after a failure; null: items that the database does not take are dropped. */
  readonly retryMs?: number | null;
  /** Called with the number of dropped items. */
  readonly dropped?: (count: number) => void;
}

/**
 * A write-behind buffer: small items by account, written together a moment later, because a statement costs nearly the
 * same for one item as for a thousand and nobody waits for it. For data that may be lost if the process is killed.
 */
export class WriteBehind<T> {
  readonly #options: Required<WriteBehindOptions<T>>;
  #waiting = new Map<number, T[]>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: WriteBehindOptions<T>) {
    this.#options = {
      waitMs: 200,
      enough: Number.POSITIVE_INFINITY,
      max: 100_000,
      retryMs: 1_000,
      dropped: () => {},
      ...options,
    };
  }

  /** Adds an item. Its group may still be looked up; the item is dropped if that fails. */
  add(group: number | Promise<number>, item: T): void {
    const { waitMs, enough, dropped } = this.#options;
    if (typeof group !== 'number') {
      group.then(
        (known) => this.add(known, item),
        () => dropped(1),
      );
      return;
    }
    if (!this.#put(group, [item])) return;
    if (this.#count === enough) this.#schedule(0);
    else if (this.#timer === undefined) this.#schedule(waitMs);
  }

  /** Writes the waiting items immediately. Items that the database does not take are retried later. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    clearTimeout(this.#timer);
    this.#begin();
    await this.#writing;
  }

  /** Writes the waiting items; those that the database does not take are lost. */
  async stop(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #put(accountId: number, items: readonly T[]): boolean {
    const { max, dropped } = this.#options;
    if (this.#count + items.length > max) {
      dropped(items.length);
      return false;
    }
    this.#count += items.length;
    const waiting = this.#waiting.get(accountId);
    if (waiting) waiting.push(...items);
    else this.#waiting.set(accountId, [...items]);
    return true;
  }

  #schedule(milliseconds: number): void {
    if (this.#writing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), milliseconds);
  }

  #begin(): void {
    this.#timer = undefined;
    this.#writing = this.#write().then((isWritten) => {
      this.#writing = undefined;
      const { waitMs, retryMs } = this.#options;
      if (this.#count > 0) this.#schedule(isWritten ? waitMs : (retryMs ?? waitMs));
    });
  }

  /** Writes the waiting items. Returns false if the database did not take all of them. */
  async #write(): Promise<boolean> {
    const { owner, log, store, retryMs, dropped } = this.#options;
    let isWritten = true;
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    // One statement per account, so that each runs on one shard (docs/decisions/0005-sql-that-can-be-distributed.md).
    for (const [accountId, items] of taken) {
      for (let from = 0; from < items.length; from += GROUP) {
        const group = items.slice(from, from + GROUP);
        try {
          await supervise(owner, () => store(accountId, group));
        } catch (error) {
          isWritten = false;
          const isKept = retryMs !== null && this.#put(accountId, group);
          if (retryMs === null) dropped(group.length);
          log.warn({ err: error, count: group.length, isKept }, `${owner}: the database did not take them`);
        }
      }
    }
    return isWritten;
  }
}
