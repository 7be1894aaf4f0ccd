import type { Logger } from './observability/log.ts';
import { type Owner, supervise } from './owners.ts';

/** Items of one statement. */
const GROUP = 2_000;

interface WriteBehindOptions<T> {
  /** Names the items in the log, too. */
  readonly owner: Owner;
  readonly log: Logger;
  /** Writes items of one account, or of what else they were added for. The same ones may come again after a failure. */
  readonly store: (accountId: number, items: readonly T[]) => Promise<void>;
  /** How long an item waits for others, milliseconds. What is lost when a process is killed. */
  readonly waitMs?: number;
  /** So many are not waited longer with. */
  readonly enough?: number;
  /** Items that wait at most, 10 MB or so; later ones are dropped. */
  readonly max?: number;
  /** Pause after a failure, milliseconds; null: what the database does not take is dropped. */
  readonly retryMs?: number | null;
  /** Called with how many items were dropped. */
  readonly dropped?: (count: number) => void;
}

/**
 * A write-behind buffer: small things by account, written together a moment later, since a statement costs nearly the same
 * for one as for a thousand and nobody waits for it. For what may be lost when the process is killed.
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

  add(accountId: number, item: T): void {
    const { waitMs, enough } = this.#options;
    if (!this.#put(accountId, [item])) return;
    if (this.#count === enough) this.#schedule(0);
    else if (this.#timer === undefined) this.#schedule(waitMs);
  }

  /** Writes what waits now, without waiting for more. What the database does not take is tried again later. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    clearTimeout(this.#timer);
    this.#begin();
    await this.#writing;
  }

  /** Writes what waits; what the database does not take then is lost. */
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

  /** Writes what waits now. False when the database did not take it all. */
  async #write(): Promise<boolean> {
    const { owner, log, store, retryMs, dropped } = this.#options;
    let isWritten = true;
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    // Account by account, so that each is a statement of one shard
    // (docs/decisions/0005-sql-that-can-be-distributed.md).
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
