import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import type { DueLook, DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree } from '../../database/leases.ts';
import { onePlacement, type Placements } from '../../database/placements.ts';
import type { Context } from '../../kit/context.ts';
import { createSsrfGuard, type SsrfGuard } from '../../kit/http/ssrf-guard.ts';
import { timeOfId } from '../../kit/ids.ts';
import { Loop } from '../../kit/loop.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import type { AuthoredWork } from '../../modules/authors/authors.ts';
import type { BudgetBook } from '../../modules/budgets/budgets.ts';
import { Answers } from './answers.ts';
import { AttemptLog } from './attempt-log.ts';
import { Backlogs, dueBacklogs } from './backlogs.ts';
import { Batches, type Reservation } from './batches.ts';
import { CallbackEndpoints } from './callback-endpoints.ts';
import { type Delivery, type DeliveryFilter, listDeliveries } from './deliveries.ts';
import { Directory } from './directory.ts';
import { EndpointStore } from './endpoints.ts';
import { eventByKey, Listening } from './listening.ts';
import * as metrics from './metrics.ts';
import { type EventOfEndpoint, type EventPlace, eventsOfEndpoint } from './of-endpoint.ts';
import { BATCH_EVENTS, insertBatches, type NewBatch, oldestBatch } from './outbox.ts';
import {
  createPushBodies,
  type DisplayNumber,
  type PushBodies,
  type RequestOfDelivery,
  requestOf,
} from './payloads.ts';
import { type ReplaySelection, replay, replayEvent } from './replay.ts';
import { sendTest, type TestOutcome } from './test-event.ts';
import type { Event, EventType, Item } from './types.ts';

/** Milliseconds between two database polls. */
const POLL_MS = 1_000;
/** Milliseconds in which the results of attempts are stored after connections were cut. */
const STORE_MS = 2_000;

export interface EventsOptions
  extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets' | 'log' | 'tracing'> {
  /** Connection for leases and the removal of delivered events (see database/connection.ts); `sql` by default. */
  readonly asyncCommitSql?: Sql;
  /** Placements; those of a plain PostgreSQL by default. */
  readonly placements?: Placements;
  /**
   * Tells on a distributed PostgreSQL whether there is something to send; without it this module queries that itself.
   */
  readonly dueLook?: DueLook | undefined;
  /** Identifies this run of the process in leases. */
  readonly boot: string;
  /** Whether private and loopback addresses are allowed. */
  readonly allowPrivate: boolean;
  /** Formats a number for pushes. */
  readonly displayNumber: DisplayNumber;
  readonly timeZoneOf: (accountId: number) => string | Promise<string>;
  /** Whether this process also sends; false if it only records. Default true. */
  readonly deliver?: boolean;
  /** Maximum connections to one endpoint, and therefore parallel requests; default 32. */
  readonly connections?: number;
  /** Milliseconds between two database polls; default 1,000. */
  readonly pollMs?: number;
}

/** A module that stores rows for events, in the transaction that records them. */
export interface EventObserver {
  readonly types: readonly EventType[];
  /** Whether it wants the events of an account, from memory. */
  wants(accountId: number): boolean;
  record(tx: TransactionSql, accountId: number, events: readonly Event[]): Promise<void>;
}

type Happened = Iterable<readonly [accountId: number, happened: Iterable<Event>]>;

/**
 * The events module: events are recorded in the transaction that causes them, and sent to the endpoints of their
 * account at least once. See docs/events.md.
 *
 * await sql.begin(async (tx) => {
 * …
 * await events.record(tx, accountId, happened);
 * });
 */
export class Events {
  /** The endpoints of accounts. */
  readonly endpoints: EndpointStore;
  /** The endpoints of status callbacks. */
  readonly callbackEndpoints: CallbackEndpoints;
  /** The readers of answers to callbacks. */
  readonly answers: Answers;
  /** The recorded attempts. */
  readonly attempts: AttemptLog;
  /** The streams of events of this process. */
  readonly listening: Listening;
  readonly #options: EventsOptions;
  readonly #deliver: boolean;
  readonly #pushBody: PushBodies;
  readonly #ssrfGuard: SsrfGuard;
  readonly #directory: Directory;
  readonly #batches: Batches;
  readonly #backlogs: Backlogs;
  readonly #observers: EventObserver[] = [];
  readonly #rounds: Loop;
  readonly #hasBatches: () => Promise<boolean>;
  readonly #hasFree: () => Promise<boolean>;
  readonly #hasBacklogs: () => Promise<boolean>;

  constructor(options: EventsOptions) {
    const { sql, log, pollMs = POLL_MS, connections = 32, deliver = true } = options;
    this.#options = options;
    this.#deliver = deliver;
    this.#pushBody = createPushBodies(options.displayNumber);
    this.#ssrfGuard = createSsrfGuard(options);
    this.answers = new Answers(options);
    const { asyncCommitSql = sql, placements = onePlacement } = options;
    this.attempts = new AttemptLog({ ...options, asyncCommitSql, placements });
    const common = { ...options, ssrfGuard: this.#ssrfGuard, answers: this.answers };
    this.endpoints = new EndpointStore({ ...common, changed: () => this.#directory.refresh() });
    this.#directory = new Directory(this.endpoints, {
      ...common,
      connections,
      pushBody: this.#pushBody,
      attemptLog: this.attempts,
      gone: ({ id }) => this.#switchOff(id, 'answered 410 Gone'),
    });
    const directory = this.#directory;
    this.callbackEndpoints = new CallbackEndpoints({ ...common, directory });
    this.listening = new Listening({ ...options, refresh: () => directory.refresh() });
    const record: Events['record'] = (...args) => this.record(...args);
    const sending = { ...options, directory, answers: this.answers, record };
    this.#batches = new Batches({ ...sending, asyncCommitSql, placements });
    this.#backlogs = new Backlogs(sending);
    const { dueLook, clock, boot } = options;
    const look = (question: () => readonly DueRows[]) =>
      deliver && dueLook ? dueLook.addDistributed(question) : () => Promise.resolve(true);
    this.#hasBatches = look(() => [sql`FROM event_queue`]);
    this.#hasFree = look(() => [sql`FROM event_queue WHERE ${isFree(sql, leaseClock.now())}`]);
    this.#hasBacklogs = look(() => [dueBacklogs(sql, clock.now(), boot)]);
    this.#rounds = new Loop({
      owner: 'events',
      everyMs: pollMs,
      step: () => this.#round(),
      log,
      failed: 'events wait for the database',
    });
  }

  /** Adds an observer of events. Call it before anything is recorded. */
  observe(observer: EventObserver): void {
    this.#observers.push(observer);
  }

  /**
   * Whether any endpoint, stream or observer of the account receives events of this type, known with a delay of up to
   * a second.
   */
  wants(accountId: number, type: EventType): boolean {
    return this.#directory.wants(accountId, type) || this.#observersOf(accountId, type).length > 0;
  }

  #observersOf(accountId: number, type: EventType): readonly EventObserver[] {
    return this.#observers.length === 0
      ? this.#observers
      : this.#observers.filter((one) => one.types.includes(type) && one.wants(accountId));
  }

  /**
   * Records events of one account in the caller's transaction; events that no endpoint receives are omitted. Writes one
   * row for up to 500 events, in time slices (time-slices.ts). Sending begins after the commit. If the process ends
   * before that, nothing is lost: another process finds the committed events when the lease of one minute has ended.
   * Rejects with errors of the database.
   */
  record(tx: TransactionSql, accountId: number, happened: Iterable<Event>): Promise<void> {
    return this.recordEach(tx, [[accountId, happened]]);
  }

  /** Records events of several accounts of one placement, like `record`. */
  async recordEach(tx: TransactionSql, happened: Happened): Promise<void> {
    const reservations: Reservation[] = [];
    const inserts: Promise<void>[] = [];
    let made: NewBatch[] = [];
    let count = 0;
    const add = (accountId: number, events: readonly Event[]): void => {
      const { batch, reservation } = this.#newBatch(accountId, events);
      if (reservation) reservations.push(reservation);
      made.push(batch);
      count += events.length;
    };
    const write = (): void => {
      if (made.length === 0) return;
      const inserted = insertBatches(tx, made);
      made = [];
      count = 0;
      // The error is thrown below, when all inserts have been sent: this one may fail while the next ones are created.
      inserted.catch(() => {});
      inserts.push(inserted);
    };
    const slice = new TimeSlice();
    for (const [accountId, events] of happened) {
      let wanted: Event[] = [];
      const observed = new Map<EventObserver, Event[]>();
      for (const event of events) {
        // The endpoint of a callback may be too new for this process to know it.
        if (event.type === 'status.callback') wanted.push(event);
        else {
          if (this.#directory.wants(accountId, event.type)) wanted.push(event);
          for (const observer of this.#observersOf(accountId, event.type)) {
            const known = observed.get(observer);
            if (known) known.push(event);
            else observed.set(observer, [event]);
          }
        }
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
      for (const [observer, its] of observed) {
        const recorded = observer.record(tx, accountId, its);
        recorded.catch(() => {});
        inserts.push(recorded);
      }
    }
    write();
    if (inserts.length === 0) return;
    await Promise.all(inserts);
    tx.afterCommit(() => {
      for (const reservation of reservations) this.#batches.begin(reservation);
    });
  }

  /** Reads the endpoints, then starts sending. Rejects when the database is unavailable. */
  async start(): Promise<void> {
    await this.#directory.refresh();
    this.#batches.setOpen(this.#deliver);
    this.#rounds.start();
    void this.#rounds.run();
  }

  /**
   * Stops sending: waiting items are stored, attempts under way have `graceMs` to be answered, then they are cut off
   * and count as failed, so that other processes retry them. Takes at most `graceMs` and the time of some writes.
   */
  async stop(graceMs: number): Promise<void> {
    this.#batches.setOpen(false);
    this.#backlogs.halt();
    await this.#rounds.stop();
    for (const queue of this.#directory.queues) queue.halt();
    await this.#untilIdle(graceMs);
    await Promise.all(Array.from(this.#directory.queues, (queue) => queue.destroy()));
    await this.#untilIdle(STORE_MS);
    this.#batches.abandon();
    await this.attempts.stop();
    if (!this.#deliver) return;
    await this.#directory
      .writeNews()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'webhook counters not written'));
  }

  /** The endpoints, as work in the name of its authors. */
  readonly authored: AuthoredWork = {
    kind: 'webhook',
    route: ['POST', '/v1/webhooks'],
    authors: () => this.endpoints.authors(),
    stop: (tx, authors) => this.endpoints.stop(tx, authors),
    announce: () => this.endpoints.announce(),
  };

  /**
   * Sends an example of an event to an endpoint once, also to a disabled one, and counts it against the budget `tests`.
   * Nothing else is stored. Throws EndpointUnknown, Refusal `over-budget`, and `bad-field` for an event that the
   * endpoint does not receive.
   */
  async test(
    accountId: number,
    endpointId: number,
    type: EventType | undefined,
    budgets: Pick<BudgetBook, 'take'>,
  ): Promise<TestOutcome> {
    const endpoint = await this.endpoints.one(accountId, endpointId);
    await budgets.take(this.#options.sql, accountId, 'tests', { count: 1 });
    const zone = await this.#options.timeZoneOf(accountId);
    const { answers } = this;
    const tools = { ...this.#options, ssrfGuard: this.#ssrfGuard, pushBody: this.#pushBody, zone, answers };
    return sendTest(endpoint, type, tools);
  }

  /** Returns an event of the last 30 days by its public id; undefined when it is not stored, or a status callback. */
  async find(accountId: number, key: string): Promise<Item | undefined> {
    const item = await this.#recorded(accountId, key);
    return item?.event.type === 'status.callback' ? undefined : item;
  }

  /** Returns deliveries that are being retried or have failed (or others, by `states`), newest first. */
  pendingDeliveries(filter: DeliveryFilter): Promise<Delivery[]> {
    return listDeliveries(this.#options.sql, filter);
  }

  /**
   * Returns the events for an endpoint, with their requests; see `eventsOfEndpoint` in of-endpoint.ts. Throws
   * EndpointUnknown.
   */
  async eventsOf(accountId: number, endpointId: number, before: EventPlace | undefined, limit: number) {
    const endpoint = await this.endpoints.one(accountId, endpointId);
    const { events, next } = await eventsOfEndpoint(this.#options.sql, endpoint, before, limit);
    const zone = await this.#options.timeZoneOf(accountId);
    const withRequest = (row: EventOfEndpoint) => ({
      ...row,
      request: requestOf(endpoint, row.event, this.#pushBody, zone),
    });
    return { events: events.map(withRequest), next };
  }

  /** Returns the request of each delivery; undefined for one whose endpoint was removed. */
  async requestsOf(
    accountId: number,
    deliveries: readonly Delivery[],
  ): Promise<(RequestOfDelivery | undefined)[]> {
    const endpoints = new Map(
      (await this.endpoints.list(accountId)).map((endpoint) => [endpoint.id, endpoint]),
    );
    const zone = await this.#options.timeZoneOf(accountId);
    return deliveries.map(({ endpoint_id, event }) => {
      const endpoint = endpoints.get(endpoint_id);
      return endpoint && requestOf(endpoint, event, this.#pushBody, zone);
    });
  }

  /** Sends deliveries again; see `replay` in replay.ts. */
  async replay(selection: ReplaySelection): Promise<number> {
    return replay(this.#options, await this.endpoints.list(selection.accountId), selection);
  }

  /** Sends one event again to an endpoint; see `replayEvent` in replay.ts. Also returns 0 for an unknown event. */
  async replayEvent(accountId: number, endpointId: number, key: string): Promise<number> {
    const endpoint = await this.endpoints.one(accountId, endpointId);
    const item = await this.#recorded(accountId, key);
    return item ? replayEvent(this.#options, endpoint, item) : 0;
  }

  #recorded(accountId: number, key: string): Promise<Item | undefined> {
    return eventByKey(this.#options.sql, accountId, key);
  }

  #newBatch(accountId: number, events: readonly Event[]) {
    const id = this.#options.ids.next();
    const reservation = this.#batches.reserve(accountId, id, events);
    const batch: NewBatch = {
      accountId,
      id,
      count: events.length,
      events: JSON.stringify(events),
      claim: reservation?.claim ?? null,
      until: reservation?.until ?? 0,
    };
    return { batch, reservation };
  }

  async #round(): Promise<void> {
    const { sql, clock } = this.#options;
    const directory = this.#directory;
    for (const queue of directory.queues) queue.tick();
    if (!this.#deliver) return directory.refresh();
    this.#batches.sweep();
    // In this order, so that a queue that was just found down does not count as recovered.
    await directory.writeNews();
    await directory.refresh();
    const asked = [this.#hasBatches(), this.#hasFree(), this.#hasBacklogs()];
    const [hasBatches, hasFree, hasBacklogs] = await Promise.all(asked);
    await Promise.all([hasFree && this.#batches.poll(), hasBacklogs && this.#backlogs.poll()]);
    const oldest = hasBatches ? await oldestBatch(sql) : null;
    metrics.pendingAge.set(oldest === null ? 0 : Math.max(0, clock.now() - timeOfId(oldest)) / 1_000);
  }

  #switchOff(id: number, reason: string): void {
    this.endpoints
      .switchOff(id, reason)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, endpoint: id }, 'webhook endpoint not disabled'),
      );
  }

  async #untilIdle(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while ((this.#batches.busy || this.#backlogs.busy) && performance.now() < end) await pause(5);
  }
}
