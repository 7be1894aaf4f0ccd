import { AsyncLocalStorage } from 'node:async_hooks';

// Maximum messages of a group. With more, its transaction takes so long that it noticeably delays a single message
// behind it (30 ms).
const GROUP_MESSAGES = 5_000;
// Maximum accounts of a group: the statement scans a list of them to find their wallets.
const GROUP_ACCOUNTS = 500;
// Requests with more messages are not grouped with others, whose answers they would delay.
const LARGE_REQUEST = 500;
// Maximum parallel groups. While a group is stored, requests wait, so that the next group is large. The next group
// starts in parallel only when storing takes longer than `patienceMs`.
const MAX_GROUPS = 4;
// Maximum of these that may be groups of one account with a large request; the others are for accounts that send
// little.
const MAX_LARGE_GROUPS = 2;

/** How long a group waits for more requests that arrive at the same time. */
interface Gathering {
  /**
   * Milliseconds that the next group waits after a group of a crowd (clients that each wait for an answer before they
   * send again), so that the clients just answered can join it. Otherwise the crowd splits into two halves that take
   * turns.
   */
  readonly gatherMs: number;
  /** Number of requests in a group that counts as a crowd. */
  readonly crowd: number;
  /** Milliseconds after which the next group starts in parallel to one that is being stored. */
  readonly patienceMs: number;
}

/** For a single PostgreSQL. */
export const gathering: Gathering = { gatherMs: 2, crowd: 4, patienceMs: 10 };
/**
 * For each shard of a distributed database: a crowd splits into one queue per shard, and a group costs nearly the same
 * for one request as for ten.
 */
export const gatheringOfShard: Gathering = { gatherMs: 8, crowd: 2, patienceMs: 40 };

/** A request in the queue. */
export interface Queued {
  readonly accountId: number;
  /** Number of its messages. */
  readonly size: number;
}

/**
 * Groups run outside any request's context: their reads and writes do not count for the request that started them. The queue of
 * a placement is created by a request, so it cannot have the snapshot.
 */
const outside = AsyncLocalStorage.snapshot();

/** Called once for each account of a group when all its requests are settled and its next ones may start. */
export type Release = (accountId: number) => void;

/**
 * Requests of one placement that wait to be accepted, grouped with accounts in turns. An account has requests in only
 * one group at a time, so that they stay in order.
 */
export class AcceptQueue<T extends Queued> {
  readonly #accept: (group: readonly T[], release: Release) => Promise<void>;
  readonly #gathering: Gathering;
  /** Keyed by account, in the order of their turns. */
  readonly #waiting = new Map<number, T[]>();
  /** Later requests of accounts that are in a running group. */
  readonly #behind = new Map<number, T[]>();
  #count = 0;
  #groups = 0;
  #largeGroups = 0;
  /** Runs for `patienceMs` after the start of a group, or while its crowd is awaited. */
  #resting: NodeJS.Timeout | undefined;
  /** Number of waiting requests at which the next group starts without further waiting. */
  #enough = Infinity;

  /**
   * @param accept settles each request of a group; the group's slot is free when it resolves, even if some accounts are
   * released later
   */
  constructor(accept: (group: readonly T[], release: Release) => Promise<void>, given: Gathering) {
    this.#accept = accept;
    this.#gathering = given;
  }

  add(item: T): void {
    const behind = this.#behind.get(item.accountId);
    if (behind) {
      behind.push(item);
      return;
    }
    this.#await(item.accountId, [item]);
    this.#look();
  }

  /**
   * Starts a group now or soon. A group in parallel to a running one is late already, so it gathers more requests
   * first.
   */
  #look(): void {
    const isResting = this.#resting !== undefined;
    if (isResting && this.#count < this.#enough) return;
    outside(() => (!isResting && this.#isStoring ? this.#rest(this.#gathering.gatherMs) : this.#go()));
  }

  /** Whether a group other than a large one is being stored. */
  get #isStoring(): boolean {
    return this.#groups > this.#largeGroups;
  }

  #await(accountId: number, items: readonly T[]): void {
    const waiting = this.#waiting.get(accountId);
    if (waiting) waiting.push(...items);
    else this.#waiting.set(accountId, [...items]);
    this.#count += items.length;
  }

  #rest(milliseconds: number): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#go(), milliseconds);
  }

  /** Starts a group, and further ones while there is a reason to. */
  #go(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#enough = Infinity;
    while (this.#resting === undefined && this.#groups < MAX_GROUPS) {
      const group = this.#take();
      if (group.length === 0) return;
      void this.#run(group);
    }
  }

  async #run(group: readonly T[]): Promise<void> {
    const isLarge = group[0]!.size > LARGE_REQUEST;
    this.#groups++;
    if (isLarge) this.#largeGroups++;
    else this.#rest(this.#gathering.patienceMs);
    for (const { accountId } of group) if (!this.#behind.has(accountId)) this.#behind.set(accountId, []);
    await this.#accept(group, (accountId) => this.#release(accountId));
    this.#groups--;
    if (isLarge) this.#largeGroups--;
    // Waiting requests start at the end of the running group, or in parallel to it after the timer.
    if (this.#isStoring && this.#resting !== undefined) return;
    if (group.length < this.#gathering.crowd || this.#isStoring) {
      this.#go();
      return;
    }
    this.#enough = this.#count + group.length;
    this.#rest(this.#gathering.gatherMs);
  }

  #release(accountId: number): void {
    const behind = this.#behind.get(accountId)!;
    this.#behind.delete(accountId);
    if (behind.length === 0) return;
    this.#await(accountId, behind.splice(0));
    this.#look();
  }

  /** Returns the next group: the requests of one account from a large one on, or those of many accounts in turns. */
  #take(): T[] {
    const lines: T[][] = [];
    for (const [accountId, items] of this.#waiting) {
      if (items[0]!.size <= LARGE_REQUEST) lines.push(items);
      else if (this.#largeGroups < MAX_LARGE_GROUPS && this.#groups < MAX_GROUPS - 1) {
        return this.#taken(accountId, firstMessages(items));
      }
      if (lines.length === GROUP_ACCOUNTS) break;
    }
    const group: T[] = [];
    const counts = new Map<T[], number>();
    let messages = 0;
    let open = lines;
    for (let turn = 0; open.length > 0; turn++) {
      open = open.filter((items) => {
        const next = items[turn];
        if (!next || next.size > LARGE_REQUEST || messages + next.size > GROUP_MESSAGES) return false;
        messages += next.size;
        group.push(next);
        counts.set(items, turn + 1);
        return true;
      });
    }
    for (const [items, count] of counts) this.#taken(items[0]!.accountId, items.slice(0, count));
    return group;
  }

  /** Removes requests from the waiting ones. The account's remaining requests have their turn after all others. */
  #taken(accountId: number, items: T[]): T[] {
    // Emptied, because a replaced table of the map still has it (kit/transient.ts).
    const rest = this.#waiting.get(accountId)!.splice(0).slice(items.length);
    this.#waiting.delete(accountId);
    this.#count -= items.length;
    if (rest.length > 0) {
      this.#behind.set(accountId, rest);
      this.#count -= rest.length;
    }
    return items;
  }
}

/** Returns as many of the first requests as fit in a group. */
function firstMessages<T extends Queued>(items: readonly T[]): T[] {
  let count = 0;
  let messages = 0;
  while (count < items.length && (count === 0 || messages + items[count]!.size <= GROUP_MESSAGES)) {
    messages += items[count++]!.size;
  }
  return items.slice(0, count);
}
