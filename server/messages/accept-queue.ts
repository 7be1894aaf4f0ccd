import { AsyncLocalStorage } from 'node:async_hooks';

// Messages of a group, at most. Above this its transaction takes so long that a single message behind it would feel it
// (30 ms).
const GROUP_MESSAGES = 5_000;
// Accounts of a group, at most: their wallets are found by going through a list of them.
const GROUP_ACCOUNTS = 500;
// A request of more messages is no part of a group with others: it would hold up their answers.
const LARGE_REQUEST = 500;
// Groups at a time. While a group is stored others wait, so that the next one is large: only when it takes longer than
// PATIENCE_MS the next one goes beside it.
const MAX_GROUPS = 4;
// Of these, groups of one account with a large request: the others are for those who send little.
const MAX_LARGE_GROUPS = 2;
const PATIENCE_MS = 10;

/** How long a group waits for more requests that come at the same time. */
interface Gathering {
  /**
   * After a group of a crowd (clients that each wait for an answer before they send again) the next one waits this long for
   * those who were just answered: otherwise the crowd falls into two halves that take turns.
   */
  readonly gatherMs: number;
  /** So many requests in a group are a crowd. */
  readonly crowd: number;
}

/** On one PostgreSQL. */
export const gathering: Gathering = { gatherMs: 2, crowd: 4 };
/**
 * For each shard of a distributed one: a crowd falls into as many queues as there are shards, and a group costs nearly the
 * same for one request as for ten.
 */
export const gatheringOfShard: Gathering = { gatherMs: 8, crowd: 2 };

/** A request in the queue. */
export interface Queued {
  readonly accountId: number;
  /** Its messages. */
  readonly size: number;
}

/** Called once for each account of a group when all its requests are settled: then its next ones may go. */
export type Release = (accountId: number) => void;

/**
 * The requests of one placement that wait to be accepted. They are taken in groups, accounts in turns, and an account has
 * requests in one group at a time, so that its requests stay in order.
 */
export class AcceptQueue<T extends Queued> {
  readonly #accept: (group: readonly T[], release: Release) => Promise<void>;
  readonly #gathering: Gathering;
  /** Groups are nobody's: what they store and read does not count for the request that began them. */
  readonly #outside = AsyncLocalStorage.snapshot();
  /** By account; those whose turn was longest ago come first. */
  readonly #waiting = new Map<number, T[]>();
  /** Later requests of accounts that are in a group. */
  readonly #behind = new Map<number, T[]>();
  #count = 0;
  #groups = 0;
  #largeGroups = 0;
  /** The last group was begun less than PATIENCE_MS ago, or its crowd is waited for. */
  #resting: NodeJS.Timeout | undefined;
  /** So many requests are worth going on at once for. */
  #enough = Infinity;

  /** `accept` settles each request; the place of its group is free when it is fulfilled, whatever is released later. */
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

  /** Begins a group now or soon. One that goes beside another is late already: it gathers some more. */
  #look(): void {
    const isResting = this.#resting !== undefined;
    if (isResting && this.#count < this.#enough) return;
    this.#outside(() => (!isResting && this.#isStoring ? this.#rest(this.#gathering.gatherMs) : this.#go()));
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

  /** Begins a group, and others as long as there is a reason to. */
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
    else this.#rest(PATIENCE_MS);
    for (const { accountId } of group) if (!this.#behind.has(accountId)) this.#behind.set(accountId, []);
    await this.#accept(group, (accountId) => this.#release(accountId));
    this.#groups--;
    if (isLarge) this.#largeGroups--;
    // What waits goes with the end of the other group, or beside it.
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
    this.#await(accountId, behind);
    this.#look();
  }

  /** The next group: the requests of one account from a large one on, or those of many in turns. */
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

  /** Takes requests out of what waits; those of the account that are left have their turn after all others. */
  #taken(accountId: number, items: T[]): T[] {
    const rest = this.#waiting.get(accountId)!.slice(items.length);
    this.#waiting.delete(accountId);
    this.#count -= items.length;
    if (rest.length > 0) {
      this.#behind.set(accountId, rest);
      this.#count -= rest.length;
    }
    return items;
  }
}

/** As many requests from the first one as a group may have. */
function firstMessages<T extends Queued>(items: readonly T[]): T[] {
  let count = 0;
  let messages = 0;
  while (count < items.length && (count === 0 || messages + items[count]!.size <= GROUP_MESSAGES)) {
    messages += items[count++]!.size;
  }
  return items.slice(0, count);
}
