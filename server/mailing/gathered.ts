import type { Logger } from '../observability/log.ts';

const WAIT_MS = 200;
const RETRY_MS = 1_000;
/** Of one statement. */
const GROUP = 2_000;
/** Kept while the database is away; what comes after is lost. */
const MOST = 100_000;

/**
 * Small things to be written by account, gathered for a moment since a statement costs nearly the same for one as for a
 * thousand. What waits is lost when the process is killed: for what may be.
 */
export class Gathered<T> {
  readonly #store: (accountId: number, items: readonly T[]) => Promise<void>;
  readonly #log: Logger;
  readonly #what: string;
  #waiting = new Map<number, T[]>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;

  /** `what` names the items in the log. */
  constructor(what: string, log: Logger, store: (accountId: number, items: readonly T[]) => Promise<void>) {
    this.#what = what;
    this.#log = log;
    this.#store = store;
  }

  add(accountId: number, item: T): void {
    if (this.#count >= MOST) return;
    this.#count++;
    const waiting = this.#waiting.get(accountId);
    if (waiting) waiting.push(item);
    else this.#waiting.set(accountId, [item]);
    this.#schedule(WAIT_MS);
  }

  /** Writes what waits; what the database does not take then is lost. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#storing;
    clearTimeout(this.#timer);
    await this.#storeAll();
    clearTimeout(this.#timer);
  }

  #schedule(milliseconds: number): void {
    if (this.#storing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#storing = this.#storeAll().then((stored) => {
        this.#storing = undefined;
        if (this.#count > 0) this.#schedule(stored ? WAIT_MS : RETRY_MS);
      });
    }, milliseconds);
  }

  async #storeAll(): Promise<boolean> {
    const taken = this.#waiting;
    this.#waiting = new Map();
    this.#count = 0;
    let stored = true;
    for (const [accountId, items] of taken) {
      for (let from = 0; from < items.length; from += GROUP) {
        const group = items.slice(from, from + GROUP);
        try {
          await this.#store(accountId, group);
        } catch (error) {
          this.#log.warn({ err: error, count: group.length }, `${this.#what} wait for the database`);
          this.#waiting.set(accountId, [...(this.#waiting.get(accountId) ?? []), ...group]);
          this.#count += group.length;
          stored = false;
        }
      }
    }
    return stored;
  }
}
