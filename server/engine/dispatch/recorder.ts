import { setTimeout as pause } from 'node:timers/promises';
import type { Channels } from '../../channels/contract/channels.ts';
import type { Sql } from '../../database/connection.ts';
import { onePlacement, type Placement, type Placements } from '../../database/placements.ts';
import { isDatabaseTrouble, isDeadlock } from '../../database/trouble.ts';
import type { Clock } from '../../kit/clock.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Tracing } from '../../kit/observability/tracing/tracing.ts';
import { OwnerStuck, supervise } from '../../kit/owners.ts';
import type { Prices } from '../../modules/accounts/prices.ts';
import type { StatusCallbacks } from '../callbacks/status-callbacks.ts';
import type { Events } from '../events/events.ts';
import { AccountWork, type DeliveryUpdate } from './account-work.ts';
import type { BatchEnd } from './batch-ends.ts';
import type { DeliveryHooks } from './hooks.ts';
import { isOfRow, Quarantine } from './quarantine.ts';
import { ResultStore } from './result-store.ts';

export type { DeliveryUpdate } from './account-work.ts';

// Delivery updates are grouped for this many milliseconds before they are stored, unless there are enough for a
// statement of good size: a transaction costs nearly the same for one message as for twenty, and a receipt right after
// the answer to submit is stored together with it.
const GATHER_MS = 10;
// On a distributed database each shard gets a part of the updates, so a group of useful size takes longer.
const GATHER_OF_SHARD_MS = 40;
const ENOUGH = 200;
const RETRY_MS = 500;

interface RecorderDeps {
  readonly sql: Sql;
  readonly placements: Placements;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly events: Events;
  readonly callbacks: Pick<StatusCallbacks, 'of' | 'event'>;
  readonly log: Logger;
  readonly channels: Channels;
  readonly prices: Pick<Prices, 'unansweredRefunds'>;
  /** Hooks by channel id, for every channel with dispatched messages. */
  readonly hooks: ReadonlyMap<number, DeliveryHooks>;
  readonly tracing?: Tracing | undefined;
  /** Called after a commit with the messages that have changed. */
  readonly changed?: (accountId: number, messageIds: Iterable<number>) => void;
}

/** Pending work of accounts that are stored together. */
class Group {
  works = new Map<number, AccountWork>();
  count = 0;
  running: Promise<void> | undefined;

  workOf(accountId: number): AccountWork {
    let work = this.works.get(accountId);
    if (!work) {
      work = new AccountWork(accountId);
      this.works.set(accountId, work);
    }
    this.count++;
    return work;
  }

  /** Removes and returns all pending work. */
  take(): AccountWork[] {
    const works = [...this.works.values()];
    this.works = new Map();
    this.count = 0;
    return works;
  }

  /** Removes and returns the pending work of one account. */
  takeOf(accountId: number): AccountWork | undefined {
    const work = this.works.get(accountId);
    this.works.delete(accountId);
    return work;
  }
}

/**
 * Stores the outcomes of messages, in grouped transactions of all accounts of a placement: results, carrier ids, ended
 * batches, refunds and events are stored together or not at all. Nothing is acknowledged before it is stored. During a
 * database outage storing is repeated, and submitting stops when the window is full.
 *
 * If a group cannot be stored, because the database rejects a row or another transaction holds one of its rows for
 * long, each of its accounts is stored separately until its work is done. Items that can never be stored go into
 * quarantine.
 */
export class Recorder {
  readonly #placements: Placements;
  readonly #gatherMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #changed: RecorderDeps['changed'];
  readonly #store: ResultStore;
  readonly #quarantine: Quarantine;
  readonly #groups = new Map<Placement, Group>();
  /** Accounts stored separately for now: their placement has no other pending results, or storing them failed. */
  readonly #apart = new Map<number, Group>();
  /** Additions whose placement is being queried. */
  readonly #placing = new Set<Promise<void>>();

  constructor(deps: RecorderDeps) {
    this.#placements = deps.placements;
    this.#gatherMs = deps.placements === onePlacement ? GATHER_MS : GATHER_OF_SHARD_MS;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#changed = deps.changed;
    this.#store = new ResultStore(deps);
    this.#quarantine = new Quarantine(deps);
  }

  /** Adds a delivery update; `stored` is called after its commit. */
  add(update: DeliveryUpdate, stored?: () => void): void {
    this.#put(update.accountId, (work) => {
      work.add(update, this.#clock.now());
      if (stored) work.stored.push(stored);
    });
  }

  /**
   * Adds the end of a batch, which is stored together with the results added before. `stored` is called after the
   * commit.
   */
  endBatch(end: BatchEnd, stored: () => void): void {
    this.#put(end.batch.accountId, (work) => {
      work.ends.push(end);
      work.stored.push(stored);
    });
  }

  /** Retries entries in quarantine whose retry was requested. */
  retryQuarantined(): Promise<void> {
    return this.#quarantine.retry({
      result: (update, stored) => this.add(update, stored),
      end: (end, stored) => this.endBatch(end, stored),
    });
  }

  /** Resolves when everything added is stored. */
  async drain(): Promise<void> {
    for (;;) {
      const groups = [...this.#groups.values(), ...this.#apart.values()];
      const running = [...this.#placing, ...groups.flatMap((group) => group.running ?? [])];
      if (running.length === 0) return;
      await Promise.all(running);
    }
  }

  #put(accountId: number, add: (work: AccountWork) => void): void {
    const placement = this.#placements.of(accountId);
    if (typeof placement === 'number') {
      this.#putAt(placement, accountId, add);
      return;
    }
    const placing: Promise<void> = this.#place(accountId, placement, add).finally(() =>
      this.#placing.delete(placing),
    );
    this.#placing.add(placing);
  }

  async #place(
    accountId: number,
    asked: Placement | Promise<Placement>,
    add: (work: AccountWork) => void,
  ): Promise<void> {
    for (let placement = asked; ; placement = this.#placements.of(accountId)) {
      try {
        this.#putAt(await placement, accountId, add);
        return;
      } catch (error) {
        this.#log.warn({ err: error, accountId }, 'results wait for the database');
        await pause(RETRY_MS);
      }
    }
  }

  #putAt(placement: Placement, accountId: number, add: (work: AccountWork) => void): void {
    const apart = this.#apart.get(accountId);
    if (apart) {
      add(apart.workOf(accountId));
      return;
    }
    let group = this.#groups.get(placement);
    if (!group) {
      group = new Group();
      this.#groups.set(placement, group);
    }
    add(group.workOf(accountId));
    group.running ??= this.#run(group);
  }

  async #run(group: Group): Promise<void> {
    for (;;) {
      if (group.count < ENOUGH) await pause(this.#gatherMs);
      const works = group.take();
      if (works.length === 0) {
        // In the same turn as the check, so that the next addition starts a new run.
        group.running = undefined;
        return;
      }
      // An account stored alone would make the next group wait for its rows.
      if (works.length === 1) this.#setApart(works[0]!, group);
      else await this.#storeGroup(group, works);
    }
  }

  /** Stores a group, repeatedly during a database outage. */
  async #storeGroup(group: Group, works: readonly AccountWork[]): Promise<void> {
    for (;;) {
      try {
        await supervise('recorder', () => this.#store.store(works));
        for (const work of works) this.#done(work);
        return;
      } catch (error) {
        const isAway = (isDatabaseTrouble(error) && !isDeadlock(error)) || error instanceof OwnerStuck;
        if (!isAway) {
          for (const work of works) this.#setApart(work, group);
          return;
        }
        this.#log.warn({ err: error, accounts: works.length }, 'results wait for the database');
        await pause(RETRY_MS);
      }
    }
  }

  /** Stores an account separately until it has no pending work. */
  #setApart(work: AccountWork, group: Group): void {
    const { accountId } = work;
    const apart = new Group();
    this.#apart.set(accountId, apart);
    const later = group.takeOf(accountId);
    if (later) apart.works.set(accountId, later);
    apart.running = this.#runApart(work, apart);
  }

  async #runApart(first: AccountWork, apart: Group): Promise<void> {
    for (let work: AccountWork | undefined = first; work; [work] = apart.take()) {
      await this.#keepStoring(work);
      this.#done(work);
      if (apart.count < ENOUGH) await pause(this.#gatherMs);
    }
    // In the same turn as the check, as above.
    this.#apart.delete(first.accountId);
  }

  #done({ accountId, results, stored }: AccountWork): void {
    if (results.size > 0) this.#changed?.(accountId, results.keys());
    for (const one of stored) one();
  }

  /**
   * Stores the work of one account, repeatedly during a database outage. Isolates items that can never be stored by
   * halving, and puts them into quarantine.
   */
  async #keepStoring(work: AccountWork): Promise<void> {
    const { accountId } = work;
    for (;;) {
      try {
        await supervise('recorder', () => this.#store.store([work]));
        return;
      } catch (error) {
        if (isOfRow(error) && (await this.#isolated(work, error))) return;
        if (isDatabaseTrouble(error) || error instanceof OwnerStuck) {
          this.#log.warn({ err: error, accountId }, 'results wait for the database');
        } else this.#log.error({ err: error, accountId }, 'results could not be stored, trying again');
        await pause(RETRY_MS);
      }
    }
  }

  /** Returns whether nothing is left to store of work that could not be stored as a whole. */
  async #isolated(work: AccountWork, error: unknown): Promise<boolean> {
    const all = [...work.results];
    const { ends } = work;
    if (all.length + ends.length === 1) {
      const [one] = all;
      const kept = one
        ? () => this.#quarantine.keep(one[1], error)
        : () => this.#quarantine.keepEnd(ends[0]!, error);
      return supervise('recorder', kept).then(
        () => true,
        () => false,
      );
    }
    // Ends follow the results that were added before them.
    const parts = [
      ...halves(all).map((part) => work.part(part, [])),
      ...(all.length === 0 ? halves(ends) : [ends]).map((part) => work.part([], part)),
    ];
    for (const part of parts) {
      if (part.results.size + part.ends.length > 0) await this.#keepStoring(part);
    }
    return true;
  }
}

function halves<T>(all: readonly T[]): T[][] {
  const half = Math.ceil(all.length / 2);
  return [all.slice(0, half), all.slice(half)];
}
