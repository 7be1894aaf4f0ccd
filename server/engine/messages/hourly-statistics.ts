import { accountsOf, inStatements, numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { byPlacement, onePlacement, type Placements } from '../../database/placements.ts';
import type { Clock } from '../../kit/clock.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { supervise } from '../../kit/owners.ts';
import { countHours, groupsOfHours } from './count-hours.ts';
import type { AccountHour } from './hour-rows.ts';
import { HOUR_MS, hourFloor, hourOf } from './hours.ts';
import type { MessageState } from './states.ts';

/*
 * Message counts by hour of acceptance, so that the overview need not read the messages. An hour is recounted from its
 * messages whenever one of them has changed. Changed hours are found in three ways:
 *
 * - hours with new messages are searched since the last run, with an overlap for late commits;
 * - code that changes messages calls `changed`, which writes to `message_hours_changed` a second later;
 * - changes lost with a process in that second, and changes that are not reported (the blacklist at the start of a
 *   shipment), are found because the hour has open messages: such hours are recounted periodically.
 */

const FLUSH_MS = 1_000;
const SEEN_KEY = 'message-hours.seen';
/** Maximum milliseconds between the acceptance of a message and its commit. */
const OVERLAP_MS = 120_000;
/** Counting takes at most a tenth of the time, except for long runs, such as after an outage of the service. */
const REST = 10;
const REST_LEAST_MS = 1_000;
/** A run queries every shard three times. */
const REST_LEAST_DISTRIBUTED_MS = 10_000;
const MAX_REST_MS = 60_000;
const COUNTED_A_RUN = 100;
const SWEEP_MS = 600_000;
const SWEPT_HOURS = 48;
const LONG_SWEEP_MS = 6 * HOUR_MS;
/** Receipts arrive for a week at most. */
const LONG_SWEPT_HOURS = 8 * 24;
const PROBED_HOURS = 500;

/** Counts of one channel in an hour. Amounts are in the database's format. */
export interface HourRow extends Readonly<Record<MessageState, number>> {
  readonly hour: number;
  readonly channel: number;
  /** Messages accepted by a carrier, whatever their later outcome. */
  readonly taken: number;
  readonly parts: number;
  readonly spent: string;
}

/** Totals of an account in a range of hours, and its balance. Amounts are in the database's format. */
export interface TotalsOfAccount {
  readonly account_id: number;
  readonly balance: string;
  readonly accepted: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  readonly spent: string;
}

/** The column of `message_hours` that counts the messages of a state. */
const columnOf = (state: MessageState) => (state === 'submitted' ? 'handed_over' : state);

interface HourlyStatisticsDeps {
  readonly sql: Sql;
  readonly placements: Placements;
  readonly clock: Clock;
  readonly log: Logger;
}

export class HourlyStatistics {
  readonly #deps: HourlyStatisticsDeps;
  #marks = new Map<number, Set<number>>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #nextRun = 0;
  #sweptAt = -Infinity;
  #longSweptAt = -Infinity;

  constructor(deps: HourlyStatisticsDeps) {
    this.#deps = deps;
  }

  /** Records that committed changes affect these messages. Cheap: it is stored a second later. */
  changed(accountId: number, messageIds: Iterable<number>): void {
    let hours = this.#marks.get(accountId);
    if (!hours) {
      hours = new Set();
      this.#marks.set(accountId, hours);
    }
    for (const id of messageIds) hours.add(hourOf(timeOfId(id)));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flushing = this.#flush();
    }, FLUSH_MS).unref();
  }

  /** Stores the recorded changes. Must be called after all callers of `changed` have stopped. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushing;
    await this.#flush();
  }

  /** Recounts changed hours, and then pauses in proportion to the time taken. For a job that runs every second. */
  async run(): Promise<void> {
    const started = performance.now();
    if (started < this.#nextRun) return;
    try {
      await this.#findNew();
      await this.#sweep(started);
      await this.#count();
    } finally {
      const took = performance.now() - started;
      const least = this.#deps.placements === onePlacement ? REST_LEAST_MS : REST_LEAST_DISTRIBUTED_MS;
      this.#nextRun = performance.now() + Math.min(Math.max(least, took * REST), MAX_REST_MS);
    }
  }

  /** Returns an account's hours from `from` (inclusive) to `to` (exclusive), in hours since the epoch, in order. */
  async between(accountId: number, from: number, to: number): Promise<HourRow[]> {
    return this.#deps.sql<HourRow[]>`
      SELECT hour, channel, taken, waiting, handed_over AS submitted, delivered, read, failed, cancelled, parts, spent FROM message_hours
      WHERE account_id = ${accountId} AND hour >= ${from} AND hour < ${to} ORDER BY hour, channel`;
  }

  /** Like `between`, for all accounts together. */
  async ofAllAccounts(from: number, to: number): Promise<HourRow[]> {
    const { sql } = this.#deps;
    return sql<HourRow[]>`
      SELECT hour, channel, sum(taken)::bigint AS taken, sum(waiting)::bigint AS waiting,
        sum(handed_over)::bigint AS submitted, sum(delivered)::bigint AS delivered, sum(read)::bigint AS read,
        sum(failed)::bigint AS failed, sum(cancelled)::bigint AS cancelled, sum(parts)::bigint AS parts,
        sum(spent) AS spent
      FROM ${this.#ofEachAccount(from, to)} GROUP BY hour, channel ORDER BY hour, channel`;
  }

  /**
   * Returns the accounts with the most messages in the hours from `from` (inclusive) to `to` (exclusive), at most
   * `limit`.
   */
  async busiestAccounts(from: number, to: number, limit: number): Promise<TotalsOfAccount[]> {
    const { sql } = this.#deps;
    return sql<TotalsOfAccount[]>`
      SELECT ${this.#totals} FROM ${this.#ofEachAccount(from, to)} GROUP BY account_id, balance
      ORDER BY accepted DESC, account_id LIMIT ${limit}`;
  }

  /** Returns accounts whose balance is less than `times` their spending in these hours, the lowest balance first. */
  async lowBalances(from: number, to: number, times: number, limit: number): Promise<TotalsOfAccount[]> {
    const { sql } = this.#deps;
    return sql<TotalsOfAccount[]>`
      SELECT ${this.#totals} FROM ${this.#ofEachAccount(from, to)} GROUP BY account_id, balance
      HAVING sum(spent) > 0 AND balance < sum(spent) * ${times}::numeric
      ORDER BY balance, account_id LIMIT ${limit}`;
  }

  get #totals() {
    return this.#deps.sql`account_id, balance,
      sum(waiting + handed_over + delivered + read + failed + cancelled)::bigint AS accepted,
      sum(delivered)::bigint AS delivered, sum(read)::bigint AS read, sum(failed)::bigint AS failed,
      sum(spent) AS spent`;
  }

  /** Selects the hours of every account by the primary key of each, so that other hours are not read. */
  #ofEachAccount(from: number, to: number) {
    return this.#deps.sql`(
      SELECT w.account_id, w.balance, h.hour, h.channel, h.taken, h.waiting, h.handed_over, h.delivered, h.read,
        h.failed, h.cancelled, h.parts, h.spent
      FROM wallets w CROSS JOIN LATERAL (
        SELECT * FROM message_hours m
        WHERE m.account_id = w.account_id AND m.hour >= ${from} AND m.hour < ${to}
      ) AS h) AS hours`;
  }

  /**
   * Returns the latest hour, up to `hour`, in which an account may have a message with this state and channel (an id;
   * both optional); null without such an hour. An hour that is not counted yet may contain any.
   */
  async latestWith(
    accountId: number,
    { state, channel }: { readonly state?: MessageState | undefined; readonly channel?: number | undefined },
    hour: number,
  ): Promise<number | null> {
    const { sql } = this.#deps;
    const seen = await this.#seen();
    if (seen === undefined || hour >= hourOf(seen - OVERLAP_MS)) return hour;
    const [row] = await sql<{ hour: number | null }[]>`
      SELECT greatest(
        (SELECT max(hour) FROM message_hours
          WHERE account_id = ${accountId} AND hour <= ${hour}
            AND ${state === undefined ? sql`true` : sql`${sql(columnOf(state))} > 0`}
            AND ${channel === undefined ? sql`true` : sql`channel = ${channel}`}),
        (SELECT max(hour) FROM message_hours_changed WHERE account_id = ${accountId} AND hour <= ${hour})
      ) AS hour`;
    return row!.hour;
  }

  /** Returns the time up to which messages are counted, in milliseconds since the epoch; null if they never were. */
  async countedTo(accountId: number): Promise<number | null> {
    const [row] = await this.#deps.sql<{ at: number | null }[]>`
      SELECT max(counted_at) AS at FROM message_hours WHERE account_id = ${accountId}
        AND hour = (SELECT max(hour) FROM message_hours WHERE account_id = ${accountId})`;
    return row!.at;
  }

  async #flush(): Promise<void> {
    const marks = this.#marks;
    if (marks.size === 0) return;
    this.#marks = new Map();
    const changed = [...marks].flatMap(([accountId, hours]) =>
      [...hours].map((hour) => ({ accountId, hour })),
    );
    const { placements, log } = this.#deps;
    try {
      for (const some of await byPlacement(placements, changed, ({ accountId }) => accountId)) {
        for (const part of inStatements(some)) await supervise('changed hours', () => this.#mark(part));
      }
    } catch (error) {
      log.warn({ err: error }, 'changed hours not noted, statistics are late');
    }
  }

  async #mark(marks: readonly AccountHour[]): Promise<void> {
    const { placements, sql } = this.#deps;
    const accounts = accountsOf(marks);
    // Sorted, so that two processes cannot deadlock.
    const sorted = marks.toSorted((a, b) => a.accountId - b.accountId || a.hour - b.hour);
    await placements.sqlOf(marks[0]!.accountId, sql)`
      INSERT INTO message_hours_changed (account_id, hour)
      SELECT w.account_id, u.hour FROM wallets w, unnest(
        ${numbers(sorted.map(({ accountId }) => accountId))}::bigint[],
        ${numbers(sorted.map(({ hour }) => hour))}::integer[]
      ) AS u (account_id, hour)
      WHERE w.account_id = u.account_id AND w.account_id = ANY(${accounts}::bigint[])
      ORDER BY u.account_id, u.hour
      ON CONFLICT (account_id, hour) DO NOTHING`;
  }

  async #seen(): Promise<number | undefined> {
    const [row] = await this.#deps.sql<{ value: number }[]>`SELECT value FROM state WHERE key = ${SEEN_KEY}`;
    return row?.value;
  }

  /** Returns the acceptance time of the oldest stored message; undefined without messages. */
  async #oldest(): Promise<number | undefined> {
    const [row] = await this.#deps.sql<{ id: number | null }[]>`
      SELECT min(m.id) AS id FROM wallets w CROSS JOIN LATERAL (
        SELECT id FROM messages WHERE account_id = w.account_id ORDER BY id LIMIT 1
      ) m`;
    return row!.id === null ? undefined : timeOfId(row!.id);
  }

  /** Marks the hours with messages newer than the last run: one index lookup per account and hour. */
  async #findNew(): Promise<void> {
    const { sql, clock } = this.#deps;
    const now = clock.now();
    const since = ((await this.#seen()) ?? (await this.#oldest()) ?? now) - OVERLAP_MS;
    // Ids may be slightly ahead of the clock.
    const last = hourOf(now + OVERLAP_MS);
    for (let first = hourOf(since); first <= last; first += PROBED_HOURS) {
      const hours = Array.from({ length: Math.min(PROBED_HOURS, last - first + 1) }, (_, i) => first + i);
      await sql`
        INSERT INTO message_hours_changed (account_id, hour)
        SELECT w.account_id, h.hour FROM wallets w CROSS JOIN unnest(
          ${numbers(hours)}::integer[],
          ${numbers(hours.map((hour) => Math.max(hourFloor(hour), idFloor(since))))}::bigint[],
          ${numbers(hours.map((hour) => hourFloor(hour + 1)))}::bigint[]
        ) AS h (hour, first_id, next_id) CROSS JOIN LATERAL (
          SELECT 1 FROM messages m WHERE m.account_id = w.account_id AND m.id >= h.first_id AND m.id < h.next_id LIMIT 1
        ) AS found
        ON CONFLICT (account_id, hour) DO NOTHING`;
    }
    await sql`
      INSERT INTO state (key, value) VALUES (${SEEN_KEY}, ${sql.json(now)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  }

  /** Marks hours with messages that may have changed without a report. */
  async #sweep(now: number): Promise<void> {
    const { sql, clock } = this.#deps;
    if (now - this.#sweptAt < SWEEP_MS) return;
    const isLong = now - this.#longSweptAt >= LONG_SWEEP_MS;
    const oldest = hourOf(clock.now()) - (isLong ? LONG_SWEPT_HOURS : SWEPT_HOURS);
    await sql`
      INSERT INTO message_hours_changed (account_id, hour)
      SELECT DISTINCT account_id, hour FROM message_hours
      WHERE hour >= ${oldest} AND waiting + handed_over > 0
      ON CONFLICT (account_id, hour) DO NOTHING`;
    this.#sweptAt = now;
    if (isLong) this.#longSweptAt = now;
  }

  async #count(): Promise<void> {
    const { sql, placements, clock } = this.#deps;
    const changed = await sql<AccountHour[]>`
      SELECT account_id AS "accountId", hour FROM message_hours_changed
      ORDER BY hour DESC, account_id LIMIT ${COUNTED_A_RUN}`;
    for (const hours of await byPlacement(placements, changed, ({ accountId }) => accountId)) {
      const placed = placements.sqlOf(hours[0]!.accountId, sql);
      for (const group of await groupsOfHours(placed, hours)) await countHours(placed, group, clock.now());
    }
  }
}
