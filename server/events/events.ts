import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { onePlacement, type Placements } from '../database/placements.ts';
import { createSsrfGuard } from '../http/ssrf-guard.ts';
import { type IdSource, timeOfId } from '../ids.ts';
import { Loop } from '../loop.ts';
import type { Logger } from '../observability/log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { TimeSlice } from '../time-slices.ts';
import { createBacklogs } from './backlogs.ts';
import { createBatches, type Reservation } from './batches.ts';
import { type Delivery, type DeliveryFilter, listDeliveries } from './deliveries.ts';
import { Directory } from './directory.ts';
import { createEndpointStore, type Endpoint, EndpointUnknown, type Registration } from './endpoints.ts';
import * as metrics from './metrics.ts';
import { BATCH_EVENTS, insertBatches, type NewBatch, oldestBatch } from './outbox.ts';
import { createPushBodies, type DisplayNumber, type RequestOfDelivery, requestOf } from './payloads.ts';
import { type ReplaySelection, replay } from './replay.ts';
import { sendTest, type TestOutcome } from './test-event.ts';
import type { Event, EventType } from './types.ts';

export interface EventsOptions {
  readonly sql: Sql;
  /** For leases and the removal of what was delivered (see database/connection.ts); `sql` by default. */
  readonly asyncCommitSql?: Sql;
  /** Those of a plain PostgreSQL by default. */
  readonly placements?: Placements;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly log: Logger;
  /** Names this run of the process in leases. */
  readonly boot: string;
  /** Whether private and loopback addresses may be called. */
  readonly allowPrivate: boolean;
  /** How pushes show a number. */
  readonly displayNumber: DisplayNumber;
  readonly timeZoneOf: (accountId: number) => string | Promise<string>;
  /** Whether this process also sends; false for one that only records. True by default. */
  readonly deliver?: boolean;
  /** Connections to one endpoint, and so its requests at a time; 32 by default. */
  readonly connections?: number;
  /** How often the database is looked at, in milliseconds; 1,000 by default. */
  readonly pollMs?: number;
}

/** Events that were recorded in a transaction which is not committed yet. */
export interface Pending {
  /** Call it right after the commit: sending begins without reading the events back. */
  committed(): void;
}

const nothing: Pending = { committed() {} };

export type Events = ReturnType<typeof createEvents>;

/**
 * The events module: what happened is recorded in the transaction that makes it happen, and sent to the endpoints of
 * its account at least once. See docs/events.md.
 *
 *     const pending = await sql.begin(async (tx) => {
 *       …
 *       return events.record(tx, accountId, happened);
 *     });
 *     pending.committed();
 */
export function createEvents(options: EventsOptions) {
  const {
    sql,
    ids,
    clock,
    secrets,
    log,
    boot,
    timeZoneOf,
    deliver = true,
    connections = 32,
    pollMs = 1_000,
  } = options;
  const pushBody = createPushBodies(options.displayNumber);
  const ssrfGuard = createSsrfGuard({ allowPrivate: options.allowPrivate });
  const store = createEndpointStore({ sql, ids, clock, secrets, ssrfGuard });
  const directory = new Directory(store, {
    clock,
    ssrfGuard,
    connections,
    pushBody,
    gone: ({ id }) => {
      store
        .switchOff(id, 'answered 410 Gone')
        .then(() => directory.refresh())
        .catch((error: unknown) => log.error({ err: error, endpoint: id }, 'endpoint is not switched off'));
    },
  });
  const batches = createBatches({
    sql,
    asyncCommitSql: options.asyncCommitSql ?? sql,
    placements: options.placements ?? onePlacement,
    ids,
    clock,
    log,
    boot,
    directory,
    timeZoneOf,
  });
  const backlogs = createBacklogs({
    sql,
    clock,
    log,
    boot,
    timeZoneOf,
    laneOf: (id) => directory.laneOf(id),
  });
  const rounds = new Loop({
    owner: 'events',
    everyMs: pollMs,
    step: tick,
    log,
    failed: 'events wait for the database',
  });

  async function tick(): Promise<void> {
    for (const queue of directory.lanes) queue.tick();
    if (!deliver) return directory.refresh();
    batches.sweep();
    // In this order: a lane that was just found down is not taken for recovered.
    await directory.writeNews();
    await directory.refresh();
    await Promise.all([batches.poll(), backlogs.poll()]);
    const oldest = await oldestBatch(sql);
    metrics.pendingAge.set(oldest === null ? 0 : Math.max(0, clock.now() - timeOfId(oldest)) / 1_000);
  }

  async function changed<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    await directory.refresh();
    return result;
  }

  async function recordEach(
    tx: TransactionSql,
    happened: Iterable<readonly [accountId: number, happened: Iterable<Event>]>,
  ): Promise<Pending> {
    const reservations: Reservation[] = [];
    const inserts: Promise<void>[] = [];
    let made: NewBatch[] = [];
    let count = 0;
    const add = (accountId: number, wanted: readonly Event[]): void => {
      const id = ids.next();
      const reservation = batches.reserve(accountId, id, wanted);
      if (reservation) reservations.push(reservation);
      const { until = 0 } = reservation ?? {};
      const owner = reservation ? boot : null;
      made.push({ accountId, id, count: wanted.length, events: JSON.stringify(wanted), owner, until });
      count += wanted.length;
    };
    const write = (): void => {
      if (made.length === 0) return;
      const inserted = insertBatches(tx, made);
      made = [];
      count = 0;
      // Told below, when all of them are on their way: it may fail while the next ones are made.
      inserted.catch(() => {});
      inserts.push(inserted);
    };
    const slice = new TimeSlice();
    for (const [accountId, events] of happened) {
      let wanted: Event[] = [];
      for (const event of events) {
        if (directory.wants(accountId, event.type)) wanted.push(event);
        if (wanted.length === BATCH_EVENTS) {
          add(accountId, wanted);
          wanted = [];
        }
        if (count >= BATCH_EVENTS) {
          write();
          if (slice.isOverNow) await slice.rest();
        } else if (slice.isOver) await slice.rest();
      }
      if (wanted.length > 0) add(accountId, wanted);
    }
    write();
    if (inserts.length === 0) return nothing;
    await Promise.all(inserts);
    return {
      committed() {
        for (const reservation of reservations) batches.begin(reservation);
      },
    };
  }

  return {
    /** Whether any endpoint of the account wants events of this type, as known for at most a second. */
    wants: (accountId: number, type: EventType): boolean => directory.wants(accountId, type),

    /**
     * Records events of one account in the caller's transaction; those that no endpoint wants are left out. One row
     * for up to 500 events, written in slices (time-slices.ts). After its commit the caller calls `committed()` of what is returned. If it never does,
     * because the transaction failed or the process ended, nothing is lost: what was committed is found by the next
     * process that looks, when the lease of one minute is over. Throws what the database throws.
     */
    record: (tx: TransactionSql, accountId: number, happened: Iterable<Event>): Promise<Pending> =>
      recordEach(tx, [[accountId, happened]]),

    /** Records events of several accounts of one placement, as `record` does those of one. */
    recordEach,

    /** Reads the endpoints, then begins to send. Throws when the database is not there. */
    async start(): Promise<void> {
      await directory.refresh();
      batches.setOpen(deliver);
      rounds.start();
      void rounds.run();
    },

    /**
     * Ends sending: what waits in memory is stored, what is under way has `graceMs` to be answered, then it is cut off
     * and counts as failed (and so is tried again by others). Takes at most `graceMs` and the time of some writes.
     */
    async stop(graceMs: number): Promise<void> {
      batches.setOpen(false);
      backlogs.halt();
      await rounds.stop();
      for (const queue of directory.lanes) queue.halt();
      const busy = () => batches.busy || backlogs.busy;
      for (const end = performance.now() + graceMs; busy() && performance.now() < end; ) await pause(5);
      await Promise.all(Array.from(directory.lanes, (queue) => queue.destroy()));
      for (const end = performance.now() + 2_000; busy() && performance.now() < end; ) await pause(5);
      batches.abandon();
      if (deliver) {
        await directory
          .writeNews()
          .catch((error: unknown) => log.error({ err: error }, 'counters of endpoints are not written'));
      }
    },

    /** Makes the checks of `registerEndpoint` and stores nothing. Throws the same. */
    checkEndpoint: (registration: Registration): Promise<void> => store.check(registration),
    /** Registers an endpoint of an account. Throws EndpointRefused and DuplicateEndpoint. */
    registerEndpoint: (registration: Registration): Promise<Endpoint> =>
      changed(store.register(registration)),
    /** The endpoints of an account with their secrets and counters (up to a second old), oldest first. */
    listEndpoints: (accountId: number): Promise<Endpoint[]> => store.list(accountId),
    /** Removes an endpoint and gives up what waits for it. Throws EndpointUnknown. */
    removeEndpoint: (accountId: number, endpointId: number): Promise<void> =>
      changed(store.remove(accountId, endpointId)),
    /** Switches an endpoint on again. What was given up meanwhile can be replayed. Throws EndpointUnknown. */
    enableEndpoint: (accountId: number, endpointId: number): Promise<Endpoint> =>
      changed(store.enable(accountId, endpointId)),
    /** Gives a webhook another secret. Throws EndpointUnknown and EndpointRefused. */
    rotateSecret: (accountId: number, endpointId: number): Promise<Endpoint> =>
      changed(store.rotateSecret(accountId, endpointId)),
    /** As of the store; what runs is told at its next look, since other secrets may be lost still. */
    replaceLostSecret: store.replaceLostSecret,
    forgetOldSecret: store.forgetOldSecret,
    /**
     * Sends an example of an event to an endpoint, once and at once, also to one that is switched off; nothing of it is
     * stored or counted. Throws EndpointUnknown, and EndpointRefused for an event that the endpoint is not about.
     */
    async test(accountId: number, endpointId: number, type?: EventType): Promise<TestOutcome> {
      const endpoint = (await store.list(accountId)).find(({ id }) => id === endpointId);
      if (!endpoint) throw new EndpointUnknown(endpointId);
      return sendTest(endpoint, type, { ids, clock, ssrfGuard, pushBody, zone: await timeZoneOf(accountId) });
    },
    /** Deliveries that are being retried or have failed (or others, by `states`), the newest first. */
    pendingDeliveries: (filter: DeliveryFilter): Promise<Delivery[]> => listDeliveries(sql, filter),
    /** What each of these deliveries sends; undefined for one whose endpoint was removed. */
    async requestsOf(
      accountId: number,
      deliveries: readonly Delivery[],
    ): Promise<(RequestOfDelivery | undefined)[]> {
      const endpoints = new Map((await store.list(accountId)).map((endpoint) => [endpoint.id, endpoint]));
      const zone = await timeZoneOf(accountId);
      return deliveries.map(({ endpoint_id, event }) => {
        const endpoint = endpoints.get(endpoint_id);
        return endpoint && requestOf(endpoint, event, pushBody, zone);
      });
    },
    /** The endpoints of all accounts that are switched off, those that were switched off last first. */
    switchedOff: (): Promise<Endpoint[]> => store.switchedOff(),
    /** Sends again; see `replay` in replay.ts. */
    replay: async (selection: ReplaySelection): Promise<number> =>
      replay({ sql, ids, clock }, await store.list(selection.accountId), selection),
  };
}
