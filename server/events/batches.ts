import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import { byPlacement, type Placements } from '../database/placements.ts';
import type { IdSource } from '../ids.ts';
import { SharedWork } from '../loop.ts';
import type { Logger } from '../observability/log.ts';
import { currentStep, own } from '../owners.ts';
import { LAST_PROBE } from './backlogs.ts';
import { GIVE_UP_AFTER, storeDeliveries, type Undelivered } from './deliveries.ts';
import type { Directory } from './directory.ts';
import { wantsType } from './endpoints.ts';
import * as metrics from './metrics.ts';
import { type BatchKey, claimBatches, freeBatches, LEASE_MS, readBatches, removeBatches } from './outbox.ts';
import { type Event, type Item, itemsOf } from './types.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** Events that this process holds in memory, and of those the share of one account. */
const MAX_EVENTS = 32_000;
const MAX_OF_ACCOUNT = 8_000;
const MAX_BATCHES = 2_000;
const CLAIMED_AT_ONCE = 64;
/** Finished batches are written together, at most this often. */
const WRITE_EVERY_MS = 10;

interface BatchesOptions {
  readonly sql: Sql;
  /** For leases and the removal of what was delivered (see database/connection.ts). */
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly boot: string;
  readonly directory: Directory;
  readonly timeZoneOf: (accountId: number) => string | Promise<string>;
}

/** A place in memory for a batch that is being recorded. */
export interface Reservation {
  readonly accountId: number;
  readonly batchId: number;
  readonly events: readonly Event[];
  /** When the lease that was written with the batch runs out. */
  readonly until: number;
}

interface Held {
  readonly accountId: number;
  readonly id: number;
  readonly count: number;
  /** Items that have neither been settled nor deferred, over all endpoints. */
  open: number;
  readonly undelivered: Map<WebhookQueue, Undelivered[]>;
}

/** First attempts: the batches that this process holds, from the lease to the end of their last item. */
export function createBatches({
  sql,
  asyncCommitSql,
  placements,
  ids,
  clock,
  log,
  boot,
  directory,
  timeZoneOf,
}: BatchesOptions) {
  const reserved = new Set<Reservation>();
  const held = new Map<number, Held>();
  const eventsOf = new Map<number, number>();
  let events = 0;
  let finished: Held[] = [];
  let writing = false;
  const polling = new SharedWork('event batches', fetchBatches);
  let moreWaits = false;
  let open = false;
  let abandoned = false;

  /** How many events of an account can be taken now; the last batch may go beyond it. */
  const roomOf = (accountId: number) =>
    open && held.size + reserved.size < MAX_BATCHES
      ? Math.min(MAX_EVENTS - events, MAX_OF_ACCOUNT - (eventsOf.get(accountId) ?? 0))
      : 0;

  function count(accountId: number, change: number): void {
    events += change;
    const now = (eventsOf.get(accountId) ?? 0) + change;
    if (now === 0) eventsOf.delete(accountId);
    else eventsOf.set(accountId, now);
    metrics.inProcess.set(events);
  }

  /** Starts the first attempts of a leased batch. */
  async function take(accountId: number, id: number, all: readonly Event[]): Promise<void> {
    count(accountId, all.length);
    // Open by one until every endpoint has its share, so that it is not finished before.
    const batch: Held = { accountId, id, count: all.length, open: 1, undelivered: new Map() };
    held.set(id, batch);
    try {
      const found = timeZoneOf(accountId);
      share(batch, itemsOf(id, all), typeof found === 'string' ? found : await found);
    } catch (error) {
      // The lease runs out, and whoever finds the batch then tries again.
      held.delete(id);
      count(accountId, -all.length);
      log.error({ err: error, account: accountId }, 'events wait: no time zone for the account');
    }
  }

  function share(batch: Held, items: readonly Item[], zone: string): void {
    for (const queue of directory.lanesOf(batch.accountId)) {
      const all = items.every((item) => wantsType(queue.endpoint, item.event.type));
      const wanted = all ? items : items.filter((item) => wantsType(queue.endpoint, item.event.type));
      if (wanted.length === 0) continue;
      batch.open += wanted.length;
      queue.offer({
        items: wanted,
        zone,
        patient: false,
        settled(index, failure) {
          if (failure)
            keep(batch, queue, { item: wanted[index]!, failure, giveUpAt: giveUpAt(wanted[index]!) });
          close(batch, 1);
        },
        deferred(from, to) {
          for (const item of wanted.slice(from, to)) {
            keep(batch, queue, { item, failure: null, giveUpAt: giveUpAt(item) });
          }
          close(batch, to - from);
        },
      });
    }
    close(batch, 1);
  }

  const giveUpAt = (item: Item) => item.event.at + GIVE_UP_AFTER;

  function keep(batch: Held, queue: WebhookQueue, one: Undelivered): void {
    const list = batch.undelivered.get(queue);
    if (list) list.push(one);
    else batch.undelivered.set(queue, [one]);
  }

  function close(batch: Held, items: number): void {
    batch.open -= items;
    if (batch.open > 0) return;
    finished.push(batch);
    if (!writing) {
      writing = true;
      void writeFinished();
    }
  }

  /** Writes finished batches together until there are none; keeps at it when the database is away. */
  async function writeFinished(): Promise<void> {
    while (finished.length > 0 && !abandoned) {
      await pause(WRITE_EVERY_MS);
      const batches = finished;
      finished = [];
      const groups = await groupsOf(batches);
      await Promise.all(
        groups.map(async (group) => {
          try {
            await own('event results', () => write(group));
          } catch (error) {
            log.error({ err: error }, 'finished events are not written, trying again');
            await pause(1_000);
            finished.push(...group);
            return;
          }
          for (const batch of group) {
            held.delete(batch.id);
            count(batch.accountId, -batch.count);
          }
        }),
      );
      if (moreWaits) void poll();
    }
    writing = false;
  }

  /** Of all accounts of a placement what was delivered, which is most, and by account what was not. */
  async function groupsOf(batches: readonly Held[]): Promise<Held[][]> {
    const isDone = ({ undelivered }: Held) => undelivered.size === 0;
    const accountOf = ({ accountId }: Held) => accountId;
    const open = Map.groupBy(
      batches.filter((batch) => !isDone(batch)),
      accountOf,
    );
    for (;;) {
      try {
        return [...(await byPlacement(placements, batches.filter(isDone), accountOf)), ...open.values()];
      } catch (error) {
        log.error({ err: error }, 'finished events are not written, trying again');
        await pause(1_000);
      }
    }
  }

  async function write(group: readonly Held[]): Promise<void> {
    const undelivered = new Map<WebhookQueue, Undelivered[]>();
    for (const batch of group) {
      for (const [queue, list] of batch.undelivered) {
        const all = undelivered.get(queue);
        if (all) all.push(...list);
        else undelivered.set(queue, [...list]);
      }
    }
    if (undelivered.size === 0) return removeBatches(asyncCommitSql, group);
    const { accountId } = group[0]!;
    await sql.begin(async (tx) => {
      for (const [queue, list] of undelivered) {
        // For an endpoint that is down this is a limit only: its next probe is sooner.
        const restAt = clock.now() + (queue.isDown ? LAST_PROBE : 0);
        await storeDeliveries(tx, ids, accountId, queue.endpoint.id, list, restAt);
      }
      await removeBatches(tx, group);
    });
  }

  /** Takes batches that nobody works on: of processes that ended, or that came when there was no room. */
  async function poll(): Promise<void> {
    if (!open || events >= MAX_EVENTS || held.size >= MAX_BATCHES) return;
    await polling.run().catch((error: unknown) => log.error({ err: error }, 'events are not fetched'));
  }

  async function fetchBatches(): Promise<void> {
    moreWaits = false;
    const step = currentStep();
    const now = clock.now();
    const free = await freeBatches(sql, now, CLAIMED_AT_ONCE);
    moreWaits = free.length === CLAIMED_AT_ONCE;
    const wanted: BatchKey[] = [];
    for (const [accountId, batches] of Map.groupBy(free, (batch) => batch.account_id)) {
      let room = roomOf(accountId);
      for (const { batch_id: id, count: size } of batches) {
        if (held.has(id)) continue;
        if (room <= 0) moreWaits = true;
        else wanted.push({ accountId, id });
        room -= size;
      }
    }
    for (const batches of await byPlacement(placements, wanted, ({ accountId }) => accountId)) {
      const mine = await claimBatches(asyncCommitSql, batches, boot, now);
      const claimed = batches.filter(({ id }) => mine.has(id));
      if (claimed.length === 0) continue;
      const read = await readBatches(sql, claimed);
      // What is read by a step that was given up may be another's already.
      if (step?.refusal) return;
      for (const batch of read) void take(batch.accountId, batch.id, batch.events);
      const there = new Set(read.map(({ id }) => id));
      const lost = claimed.filter(({ id }) => !there.has(id));
      // Their partition was dropped: they are a month old.
      if (lost.length > 0) await removeBatches(sql, lost);
    }
  }

  return {
    poll,

    get busy(): boolean {
      return held.size > 0 || polling.isRunning || writing;
    },

    /** Room for a batch that is about to be recorded; undefined: record it for anyone. */
    reserve(accountId: number, batchId: number, all: readonly Event[]): Reservation | undefined {
      if (roomOf(accountId) <= 0) {
        moreWaits = open;
        return undefined;
      }
      const reservation = { accountId, batchId, events: all, until: clock.now() + LEASE_MS };
      reserved.add(reservation);
      count(accountId, all.length);
      return reservation;
    },

    /** The reserved batch was committed: its first attempts begin. */
    begin(reservation: Reservation): void {
      const { accountId, batchId, events: all, until } = reservation;
      if (!reserved.delete(reservation)) return;
      count(accountId, -all.length);
      // Too late in a lease, someone else may be about to take it.
      if (open && clock.now() < until - LEASE_MS / 2) void take(accountId, batchId, all);
    },

    /** Gives up reservations whose transaction has not been committed in half a lease. */
    sweep(): void {
      const late = clock.now() + LEASE_MS / 2;
      for (const reservation of reserved) {
        if (reservation.until > late) continue;
        reserved.delete(reservation);
        count(reservation.accountId, -reservation.events.length);
      }
    },

    /** Gives up writing: the leases of what is unwritten run out, and others do it again. */
    abandon(): void {
      abandoned = true;
    },

    /** Begins or ends taking batches. */
    setOpen(value: boolean): void {
      open = value;
    },
  };
}
