import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { newClaim } from '../../database/leases.ts';
import { byPlacement, onePlacement, type Placements } from '../../database/placements.ts';
import type { Context } from '../../kit/context.ts';
import { SharedWork } from '../../kit/loop.ts';
import { currentStep, supervise } from '../../kit/owners.ts';
import { type Place, TransientSet } from '../../kit/transient.ts';
import type { Answers } from './answers.ts';
import { LAST_PROBE } from './backlogs.ts';
import { GIVE_UP_AFTER, storeDeliveries, type Undelivered } from './deliveries.ts';
import type { Directory } from './directory.ts';
import * as metrics from './metrics.ts';
import {
  type BatchKey,
  type ClaimedBatch,
  claimBatches,
  type FreeBatch,
  freeBatches,
  LEASE_MS,
  readBatches,
  removeBatches,
} from './outbox.ts';
import { type Event, type Item, itemsOf } from './types.ts';
import { wantsEvent } from './wanted.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** Maximum number of events in memory of this process, and of one account. */
const MAX_EVENTS = 32_000;
const MAX_OF_ACCOUNT = 8_000;
const MAX_BATCHES = 2_000;
const CLAIMED_AT_ONCE = 64;
/** Milliseconds between two writes of finished batches, which are grouped. */
const WRITE_EVERY_MS = 10;
/** The same on a distributed database, where each shard gets a part of them. */
const WRITE_SHARDS_EVERY_MS = 40;
/** Milliseconds before a failed write is repeated. */
const RETRY_MS = 1_000;

interface BatchesDeps extends Pick<Context, 'sql' | 'asyncCommitSql' | 'ids' | 'clock' | 'log'> {
  readonly placements: Placements;
  readonly boot: string;
  readonly directory: Pick<Directory, 'queuesOf' | 'queueOf' | 'refresh'>;
  readonly timeZoneOf: (accountId: number) => string | Promise<string>;
  readonly answers: Pick<Answers, 'instead'>;
  /** Records events in a transaction. */
  readonly record: (tx: TransactionSql, accountId: number, events: readonly Event[]) => Promise<void>;
}

/** Reserved memory for a batch that is being recorded. */
export interface Reservation {
  readonly accountId: number;
  readonly batchId: number;
  readonly events: readonly Event[];
  /** Claim of the lease that was written with the batch (database/leases.ts). */
  readonly claim: string;
  /** End of the lease that was written with the batch. */
  readonly until: number;
  /** Its place among the reservations. */
  place?: Place<Reservation>;
}

interface Held extends ClaimedBatch {
  readonly count: number;
  /** Items that are neither settled nor deferred, over all endpoints. */
  open: number;
  readonly undelivered: Map<WebhookQueue, Undelivered[]>;
}

/** First attempts: the batches that this process holds, from the lease to the end of their last item. */
export class Batches {
  readonly #deps: BatchesDeps;
  readonly #reserved = new TransientSet<Reservation>();
  readonly #held = new Map<number, Held>();
  readonly #eventsOf = new Map<number, number>();
  readonly #polling = new SharedWork('event batches', () => this.#fetch());
  #events = 0;
  #finished: Held[] = [];
  #writing = false;
  #moreWaits = false;
  #open = false;
  #abandoned = false;

  constructor(deps: BatchesDeps) {
    this.#deps = deps;
  }

  get busy(): boolean {
    return this.#held.size > 0 || this.#polling.isRunning || this.#writing;
  }

  /** Starts or stops accepting batches. */
  setOpen(value: boolean): void {
    this.#open = value;
  }

  /** Stops writing: the leases of unwritten batches end, and other processes send them again. */
  abandon(): void {
    this.#abandoned = true;
  }

  /**
   * Reserves memory for a batch that is about to be recorded. Returns undefined when there is no space: then the batch
   * is recorded without a lease.
   */
  reserve(accountId: number, batchId: number, events: readonly Event[]): Reservation | undefined {
    if (this.#roomOf(accountId) <= 0) {
      this.#moreWaits = this.#open;
      return undefined;
    }
    const until = leaseClock.now() + LEASE_MS;
    const reservation: Reservation = {
      accountId,
      batchId,
      events,
      claim: newClaim(this.#deps.boot),
      until,
    };
    reservation.place = this.#reserved.add(reservation);
    this.#count(accountId, events.length);
    return reservation;
  }

  /** Called when the reserved batch was committed: starts its first attempts. */
  begin(reservation: Reservation): void {
    const { accountId, batchId: id, events, claim, until } = reservation;
    if (!this.#release(reservation)) return;
    // Late in a lease, another process may be about to take the batch.
    const isInTime = leaseClock.now() < until - LEASE_MS / 2;
    if (this.#open && isInTime) void this.#take({ accountId, id, claim }, events);
  }

  /** Drops reservations whose transaction has not been committed in half a lease. */
  sweep(): void {
    const late = leaseClock.now() + LEASE_MS / 2;
    this.#reserved.visit((reservation) => {
      if (reservation.until <= late) this.#release(reservation);
    });
  }

  /** Takes free batches: those of ended processes, and those recorded when there was no space. */
  async poll(): Promise<void> {
    if (!this.#open || this.#events >= MAX_EVENTS || this.#held.size >= MAX_BATCHES) return;
    await this.#polling
      .run()
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error }, 'waiting webhook events not read, next attempt in a second'),
      );
  }

  #release(reservation: Reservation): boolean {
    const isThere = this.#reserved.remove(reservation.place!);
    if (isThere) this.#count(reservation.accountId, -reservation.events.length);
    return isThere;
  }

  /** Returns how many events of an account fit into memory; the last batch may exceed the limit. */
  #roomOf(accountId: number): number {
    if (!this.#open || this.#held.size + this.#reserved.size >= MAX_BATCHES) return 0;
    return Math.min(MAX_EVENTS - this.#events, MAX_OF_ACCOUNT - (this.#eventsOf.get(accountId) ?? 0));
  }

  #count(accountId: number, change: number): void {
    this.#events += change;
    const now = (this.#eventsOf.get(accountId) ?? 0) + change;
    if (now === 0) this.#eventsOf.delete(accountId);
    else this.#eventsOf.set(accountId, now);
    metrics.inProcess.set(this.#events);
  }

  async #fetch(): Promise<void> {
    const { sql, asyncCommitSql, placements, boot } = this.#deps;
    this.#moreWaits = false;
    const step = currentStep();
    const leaseNow = leaseClock.now();
    const free = await freeBatches(sql, leaseNow, CLAIMED_AT_ONCE);
    this.#moreWaits = free.length === CLAIMED_AT_ONCE;
    const wanted = this.#fitting(free);
    for (const batches of await byPlacement(placements, wanted, ({ accountId }) => accountId)) {
      const { accountId } = batches[0]!;
      const claim = newClaim(boot);
      const mine = await claimBatches(placements.sqlOf(accountId, asyncCommitSql), batches, claim, leaseNow);
      const claimed = batches.filter(({ id }) => mine.has(id)).map((batch) => ({ ...batch, claim }));
      if (claimed.length === 0) continue;
      const read = await readBatches(placements.sqlOf(accountId, sql), claimed);
      // Batches read by an abandoned step may already belong to another process.
      if (step?.refusal) return;
      for (const { events, ...batch } of read) void this.#take({ ...batch, claim }, events);
      const there = new Set(read.map(({ id }) => id));
      const lost = claimed.filter(({ id }) => !there.has(id));
      // Their partition was dropped: they are a month old.
      if (lost.length > 0) await removeBatches(sql, lost);
    }
  }

  /** Selects the batches for which there is space. */
  #fitting(free: readonly FreeBatch[]): BatchKey[] {
    const fitting: BatchKey[] = [];
    for (const [accountId, batches] of Map.groupBy(free, (batch) => batch.account_id)) {
      let room = this.#roomOf(accountId);
      for (const { batch_id: id, count } of batches) {
        if (this.#held.has(id)) continue;
        if (room <= 0) this.#moreWaits = true;
        else fitting.push({ accountId, id });
        room -= count;
      }
    }
    return fitting;
  }

  /** Starts the first attempts of a leased batch. */
  async #take(claimed: ClaimedBatch, events: readonly Event[]): Promise<void> {
    const { timeZoneOf, log } = this.#deps;
    const { accountId, id } = claimed;
    this.#count(accountId, events.length);
    // One extra open item until every endpoint has its items, so that the batch does not finish earlier.
    const batch: Held = { ...claimed, count: events.length, open: 1, undelivered: new Map() };
    this.#held.set(id, batch);
    try {
      if (events.some((event) => this.#isOfNewEndpoint(event))) await this.#deps.directory.refresh();
      const found = timeZoneOf(accountId);
      this.#share(batch, itemsOf(id, events), typeof found === 'string' ? found : await found);
    } catch (error) {
      // The lease ends, and another process retries the batch.
      this.#drop(batch);
      log.error({ err: error, account: accountId }, 'events wait: the account or its endpoints are not read');
    }
  }

  /** Whether an event is for an endpoint that may have been registered or enabled in the last second. */
  #isOfNewEndpoint(event: Event): boolean {
    if (event.type !== 'status.callback') return false;
    return this.#deps.directory.queueOf(event.data.endpoint_id)?.endpoint.state !== 'active';
  }

  #drop({ accountId, id, count }: Held): void {
    this.#held.delete(id);
    this.#count(accountId, -count);
  }

  #share(batch: Held, items: readonly Item[], zone: string): void {
    for (const queue of this.#deps.directory.queuesOf(batch.accountId)) {
      const wants = ({ event }: Item) => wantsEvent(queue.endpoint, event);
      const wanted = items.every(wants) ? items : items.filter(wants);
      if (wanted.length === 0) continue;
      const keep = (item: Item, failure: Undelivered['failure']) => {
        const one = { item, failure, giveUpAt: item.event.at + GIVE_UP_AFTER };
        const list = batch.undelivered.get(queue);
        if (list) list.push(one);
        else batch.undelivered.set(queue, [one]);
      };
      batch.open += wanted.length;
      queue.offer({
        items: wanted,
        zone,
        patient: false,
        settled: (index, failure) => {
          if (failure) keep(wanted[index]!, failure);
          this.#close(batch, 1);
        },
        deferred: (from, to) => {
          for (const item of wanted.slice(from, to)) keep(item, null);
          this.#close(batch, to - from);
        },
      });
    }
    this.#close(batch, 1);
  }

  #close(batch: Held, items: number): void {
    batch.open -= items;
    if (batch.open > 0) return;
    this.#finished.push(batch);
    if (this.#writing) return;
    this.#writing = true;
    void this.#writeFinished();
  }

  /** Writes finished batches in groups until all are written; retries during a database outage. */
  async #writeFinished(): Promise<void> {
    const everyMs = this.#deps.placements === onePlacement ? WRITE_EVERY_MS : WRITE_SHARDS_EVERY_MS;
    while (this.#finished.length > 0 && !this.#abandoned) {
      await pause(everyMs);
      const groups = await this.#groupsOf(this.#finished.splice(0));
      await Promise.all(groups.map((group) => this.#writeOrKeep(group)));
      if (this.#moreWaits) void this.poll();
    }
    this.#writing = false;
  }

  /** Groups batches: delivered ones, the majority, by placement, and undelivered ones by account. */
  async #groupsOf(batches: readonly Held[]): Promise<Held[][]> {
    const isDone = ({ undelivered }: Held) => undelivered.size === 0;
    const accountOf = ({ accountId }: Held) => accountId;
    const done = batches.filter(isDone);
    const open = Map.groupBy(
      batches.filter((batch) => !isDone(batch)),
      accountOf,
    );
    for (;;) {
      try {
        return [...(await byPlacement(this.#deps.placements, done, accountOf)), ...open.values()];
      } catch (error) {
        await this.#notWritten(error);
      }
    }
  }

  async #writeOrKeep(group: readonly Held[]): Promise<void> {
    try {
      await supervise('event results', () => this.#write(group));
    } catch (error) {
      await this.#notWritten(error);
      this.#finished.push(...group);
      return;
    }
    for (const batch of group) this.#drop(batch);
  }

  async #notWritten(error: unknown): Promise<void> {
    this.#deps.log.error({ err: error }, 'finished events are not written, trying again');
    await pause(RETRY_MS);
  }

  async #write(group: readonly Held[]): Promise<void> {
    const { sql, asyncCommitSql, placements, ids, clock } = this.#deps;
    const { accountId } = group[0]!;
    if (group.every(({ undelivered }) => undelivered.size === 0)) {
      await removeBatches(placements.sqlOf(accountId, asyncCommitSql), group);
      return;
    }
    const replacing = await this.#replacementsOf(group);
    await placements.sqlOf(accountId, sql).begin(async (tx) => {
      // Removed first: a claim that has taken over a batch stores its deliveries itself.
      const removed = await removeBatches(tx, group);
      const mine = group.filter(({ id }) => removed.has(id));
      const undelivered = Map.groupBy(
        mine.flatMap((batch) => [...batch.undelivered]),
        ([queue]) => queue,
      );
      const events: Event[] = [];
      for (const [queue, lists] of undelivered) {
        const items = lists.flatMap(([, list]) =>
          list.map((one) => {
            const event = replacing.get(one);
            if (event) events.push(event);
            return event ? { ...one, isReplaced: true } : one;
          }),
        );
        // For an endpoint that is down this is only a limit: its next probe is earlier.
        const restAt = clock.now() + (queue.isDown ? LAST_PROBE : 0);
        await storeDeliveries(tx, ids, accountId, queue.endpoint.id, items, restAt);
      }
      if (events.length > 0) await this.#deps.record(tx, accountId, events);
    });
  }

  /** Returns the events to send in place of callbacks that have failed, or whose host is down. */
  async #replacementsOf(group: readonly Held[]): Promise<ReadonlyMap<Undelivered, Event>> {
    const replacing = new Map<Undelivered, Event>();
    for (const { accountId, undelivered } of group) {
      for (const [queue, list] of undelivered) {
        for (const one of list) {
          // Callbacks that were deferred for another reason are sent soon.
          if (one.failure === null && !queue.isDown) continue;
          const event = await this.#deps.answers.instead(accountId, one.item.event, one.failure);
          if (event) replacing.set(one, event);
        }
      }
    }
    return replacing;
  }
}
