import { numbers } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isClaimOf, isFree, isHeldBy, newClaim, released, renewed, taken } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { supervise } from '../../kit/owners.ts';
import type { Answers } from './answers.ts';
import * as deliveries from './deliveries.ts';
import type { Directory } from './directory.ts';
import { LEASE_MS } from './outbox.ts';
import type { Event } from './types.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** An endpoint that is down is tried after 5, 10, 20, 40 and then every 60 seconds. */
const FIRST_PROBE = 5_000;
export const LAST_PROBE = 60_000;
/** Milliseconds after which an endpoint with many deliveries lets others have their turn. */
const TURN_MS = 10_000;
const AT_ONCE = 64;
/** Maximum milliseconds of a turn, which includes waiting for the endpoint's answers. */
const WORK_MS = 300_000;
/**
 * Value of `next_at` while a process works on a backlog: any time that a writer sets during the work is earlier, and
 * therefore noticed.
 */
const IDLE = Number.MAX_SAFE_INTEGER;

interface BacklogsDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly boot: string;
  readonly directory: Pick<Directory, 'queueOf'>;
  readonly timeZoneOf: (accountId: number) => string | Promise<string>;
  readonly answers: Pick<Answers, 'instead'>;
  /** Records events in a transaction. */
  readonly record: (tx: TransactionSql, accountId: number, events: readonly Event[]) => Promise<void>;
}

interface Backlog {
  readonly account_id: number;
  readonly endpoint_id: number;
}

/** A backlog and the claim of its lease. */
interface ClaimedBacklog extends Backlog {
  readonly claim: string;
}

/** Selects backlogs that are due and free, and those leased by this run of the process. */
export const dueBacklogs = (
  sql: Queryable,
  now: number,
  boot: string,
  leaseNow = leaseClock.now(),
): DueRows => sql`
  FROM event_backlogs
  WHERE (${isFree(sql, leaseNow)} AND (next_at <= ${now} OR lease_owner IS NOT NULL) OR ${isClaimOf(sql, boot)})`;

/**
 * Sends stored deliveries, by endpoint: leases the row of an endpoint's backlog, attempts the due deliveries, and sets
 * the time of the next check. Only one process at a time works on an endpoint.
 */
export class Backlogs {
  readonly #deps: BacklogsDeps;
  readonly #working = new Map<number, { backlog: ClaimedBacklog; renewAt: number }>();
  #stopping = false;

  constructor(deps: BacklogsDeps) {
    this.#deps = deps;
  }

  get busy(): boolean {
    return this.#working.size > 0;
  }

  /** Starts no more work. */
  halt(): void {
    this.#stopping = true;
  }

  /** Renews leases, and starts work on the due backlogs that no process works on. */
  async poll(): Promise<void> {
    const { sql, clock, log, boot } = this.#deps;
    const working = this.#working;
    const now = clock.now();
    const leaseNow = leaseClock.now();
    await this.#renew(leaseNow);
    if (this.#stopping || working.size >= AT_ONCE) return;
    // A lease of this process without running work belongs to abandoned work.
    const due = await sql<Backlog[]>`
      SELECT account_id, endpoint_id ${dueBacklogs(sql, now, boot, leaseNow)}
        AND endpoint_id <> ALL(${numbers([...working.keys()])}::bigint[])
      ORDER BY next_at LIMIT ${AT_ONCE - working.size}`;
    for (const one of due) {
      const { endpoint_id: endpoint } = one;
      const backlog = { ...one, claim: newClaim(boot) };
      if (this.#stopping || working.has(endpoint)) continue;
      working.set(endpoint, { backlog, renewAt: leaseNow + LEASE_MS / 3 });
      // Errors come from the database. The work is repeated when the lease ends.
      supervise('event backlogs', () => this.#work(backlog), { limitMs: WORK_MS })
        .catch((error: unknown) =>
          log.error(
            { err: error, endpoint },
            'waiting webhook events not sent, next attempt when the lease ends',
          ),
        )
        .finally(() => working.delete(endpoint));
    }
  }

  async #renew(leaseNow: number): Promise<void> {
    const { sql } = this.#deps;
    for (const task of this.#working.values()) {
      if (leaseNow < task.renewAt) continue;
      task.renewAt = leaseNow + LEASE_MS / 3;
      await sql`
        UPDATE event_backlogs SET ${renewed(sql, leaseNow + LEASE_MS)} WHERE ${this.#fence(task.backlog)}`;
    }
  }

  /** Leases the row. Returns the number of probes so far, or undefined when another process was faster. */
  async #claim({ account_id, endpoint_id, claim }: ClaimedBacklog): Promise<number | undefined> {
    const { sql, boot } = this.#deps;
    const leaseNow = leaseClock.now();
    const rows = await sql<{ probes: number }[]>`
      UPDATE event_backlogs SET ${taken(sql, claim, leaseNow + LEASE_MS)}, next_at = ${IDLE}
      WHERE account_id = ${account_id} AND endpoint_id = ${endpoint_id}
        AND (${isFree(sql, leaseNow)} OR ${isClaimOf(sql, boot)})
      RETURNING probes`;
    return rows[0]?.probes;
  }

  #fence({ account_id, endpoint_id, claim }: ClaimedBacklog) {
    const { sql } = this.#deps;
    return sql`
      account_id = ${account_id} AND endpoint_id = ${endpoint_id} AND ${isHeldBy(sql, { owner: claim })}`;
  }

  async #release(backlog: ClaimedBacklog, nextAt: number, probes = 0) {
    const { sql } = this.#deps;
    await sql`
      UPDATE event_backlogs
      SET next_at = least(next_at, ${nextAt}), probes = ${probes}, ${released(sql)}
      WHERE ${this.#fence(backlog)}`;
  }

  /** Removes the row if no delivery waits; otherwise releases it until the next delivery is due. */
  async #finish(backlog: ClaimedBacklog): Promise<void> {
    const { sql } = this.#deps;
    const { account_id, endpoint_id } = backlog;
    const next = await deliveries.nextDue(sql, account_id, endpoint_id);
    if (next === null) {
      const { count } = await sql`
        DELETE FROM event_backlogs WHERE ${this.#fence(backlog)} AND next_at = ${IDLE}`;
      if (count === 1) return;
    }
    await this.#release(backlog, next ?? IDLE);
  }

  async #giveUp({ account_id, endpoint_id }: Backlog, before: number | null, reason: string) {
    while (await deliveries.giveUpPage(this.#deps.sql, account_id, endpoint_id, before, reason));
  }

  /** Attempts deliveries and stores the results. Returns the number of attempts. */
  async #attempt(
    { account_id }: Backlog,
    queue: WebhookQueue,
    due: readonly deliveries.Due[],
    probe = false,
  ): Promise<number> {
    const { sql, clock, timeZoneOf, answers, record } = this.#deps;
    const items = due.map(({ item }) => item);
    const results = await queue.deliver(items, await timeZoneOf(account_id), probe);
    const attempted = due.flatMap((one, index) => {
      const failure = results[index];
      return failure === undefined ? [] : [{ due: one, failure }];
    });
    const events: Event[] = [];
    const settled: typeof attempted = [];
    for (const { due: one, failure } of attempted) {
      const event = failure && (await answers.instead(account_id, one.item.event, failure));
      if (event) events.push(event);
      settled.push({ due: one, failure: failure && event ? { ...failure, isFinal: true } : failure });
    }
    if (events.length === 0) await deliveries.recordAttempts(sql, account_id, clock.now(), settled);
    else {
      await sql.begin(async (tx) => {
        await deliveries.recordAttempts(tx, account_id, clock.now(), settled);
        await record(tx, account_id, events);
      });
    }
    return attempted.length;
  }

  async #work(backlog: ClaimedBacklog): Promise<void> {
    const { sql, clock, directory } = this.#deps;
    const { account_id, endpoint_id } = backlog;
    const probes = await this.#claim(backlog);
    if (probes === undefined) return;
    const queue = directory.queueOf(endpoint_id);
    if (queue?.endpoint.state !== 'active') {
      await this.#giveUp(backlog, null, queue ? 'the endpoint is switched off' : 'the endpoint was removed');
      return this.#finish(backlog);
    }
    await this.#giveUp(backlog, clock.now(), 'not delivered within 24 hours');
    if (queue.isDown) {
      const probe = await deliveries.probeDelivery(sql, account_id, endpoint_id);
      if (!probe) return this.#finish(backlog);
      await this.#attempt(backlog, queue, [probe], true);
      if (queue.isDown) {
        const pause = Math.min(FIRST_PROBE * 2 ** probes, LAST_PROBE);
        return this.#release(backlog, clock.now() + pause, Math.min(probes + 1, 10));
      }
      await deliveries.wakeDeliveries(sql, account_id, endpoint_id, clock.now());
    }
    for (const until = performance.now() + TURN_MS; performance.now() < until; ) {
      const due = await deliveries.dueDeliveries(sql, account_id, endpoint_id, clock.now(), queue.pageSize);
      if (due.length === 0) return this.#finish(backlog);
      const attempted = await this.#attempt(backlog, queue, due);
      if (!queue.isActive) break;
      if (queue.isDown) return this.#release(backlog, clock.now() + FIRST_PROBE, 1);
      if (attempted === 0) break;
    }
    await this.#release(backlog, clock.now());
  }
}
