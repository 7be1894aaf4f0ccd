import { setTimeout as pause } from 'node:timers/promises';
import { numbers } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree, taken, takenByInsert } from '../../database/leases.ts';
import { byPlacement, type Placements } from '../../database/placements.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { LEASE_MS, WorkLease, WorkLost } from './lease.ts';
import { attemptsTotal, rescuedTotal } from './metrics.ts';
import { nextAttempt, type Outcome, type Worker, type WorkItem } from './worker.ts';

/** Milliseconds between two looks for due items while others are being done. */
const LOOK_MS = 1_000;
/** Due items that are read to find accounts to claim for. */
const CANDIDATES = 100;
/** Longest error that is stored, in characters. */
const MAX_ERROR = 300;

export interface RunnerDeps extends Pick<Context, 'sql' | 'asyncCommitSql' | 'clock' | 'log'> {
  readonly placements: Placements;
  /** Name of this process in leases. */
  readonly owner: string;
}

/** An item that this process has claimed. */
export interface ClaimedRow extends WorkItem {
  readonly epoch: number;
  /** Whether the lease of another claim had run out. */
  readonly isRescued: boolean;
}

/** An item that is being done. */
interface Running {
  readonly accountId: number;
  readonly lease: WorkLease;
  readonly endsAt: number;
}

/** Does the items of one kind in this process: accounts in turns, each within its limit. */
export class WorkRunner {
  readonly worker: Worker;
  readonly #deps: RunnerDeps;
  /** The items of the run under way; those of an abandoned run do not count. */
  #running = new Map<Promise<void>, Running>();
  /** Accounts that had their turn in this round. */
  readonly #served = new Set<number>();
  readonly #stopped = new AbortController();
  #look: Promise<void> | undefined;

  constructor(deps: RunnerDeps, worker: Worker) {
    this.#deps = deps;
    this.worker = worker;
  }

  /** Returns the items that could be claimed. */
  due(leaseNow = leaseClock.now()): DueRows {
    const { sql, clock } = this.#deps;
    return sql`
      FROM work WHERE kind = ${this.worker.kind} AND state = 'waiting' AND due_at <= ${clock.now()}
        AND ${isFree(sql, leaseNow)}`;
  }

  /**
   * Does due items until none is due and none is being done, or `stop` is called. Items that become due while slow ones are
   * being done take the free places. Rejects with the first database error, after the others have ended.
   */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    const failed = (error: unknown): [] => {
      errors.push(error);
      return [];
    };
    const running = new Map<Promise<void>, Running>();
    this.#running = running;
    for (;;) {
      const mayBegin =
        !this.#stopped.signal.aborted && errors.length === 0 && (this.worker.isReady?.() ?? true);
      const before = running.size;
      const claimed = mayBegin && before < this.worker.places ? await this.#claim().catch(failed) : [];
      const hasEnded = running.size < before;
      for (const row of claimed) this.#begin(row, running, failed);
      // An attempt that has ended during the claim can have left more to do, which the claim did not see.
      if (claimed.length > 0 || hasEnded) continue;
      if (running.size === 0) break;
      await Promise.race([...running.keys(), this.#lookLater()]);
      await this.#renew(running).catch(failed);
    }
    if (errors.length > 0) throw errors[0];
  }

  /**
   * Claims an item even if it is not due, and adds a missing one. Undefined while a process works on it. The caller
   * makes the attempt by `perform`, after the commit.
   */
  async claim(sql: Queryable, accountId: number, key: number): Promise<ClaimedRow | undefined> {
    const { clock, owner } = this.#deps;
    const { kind } = this.worker;
    const now = clock.now();
    const leaseNow = leaseClock.now();
    const [row] = await sql<ClaimedRow[]>`
      INSERT INTO work AS w (account_id, kind, key, due_at, created_at, lease_owner, lease_until, lease_epoch, attempts)
      VALUES (${accountId}, ${kind}, ${key}, ${now}, ${now}, ${owner}, ${leaseNow + LEASE_MS}, 1, 1)
      ON CONFLICT ON CONSTRAINT work_pkey DO UPDATE
        SET state = 'waiting', again_at = NULL, attempts = w.attempts + 1, ${takenByInsert(sql)},
          lease_epoch = w.lease_epoch + 1
        WHERE ${isFree(sql, leaseNow, sql`w.lease_until`)}
      RETURNING w.account_id AS "accountId", w.kind, w.key, w.attempts, w.created_at AS "createdAt", w.due_at AS "dueAt",
        w.lease_epoch AS epoch, false AS "isRescued"`;
    return row;
  }

  /** Makes the attempt at an item of `claim`. Rejects with database trouble; then another attempt follows after the lease. */
  async perform(row: ClaimedRow): Promise<void> {
    const errors: unknown[] = [];
    const failed = (error: unknown) => void errors.push(error);
    const running = new Map<Promise<void>, Running>();
    this.#begin(row, running, failed);
    while (running.size > 0) {
      await Promise.race([...running.keys(), this.#lookLater()]);
      await this.#renew(running).catch(failed);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Ends `run` and the attempts under way. Other processes can claim their items. */
  stop(): void {
    this.#stopped.abort();
  }

  #lookLater(): Promise<void> {
    this.#look ??= pause(LOOK_MS).then(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  #begin(row: ClaimedRow, running: Map<Promise<void>, Running>, failed: (error: unknown) => unknown): void {
    const { sql, owner } = this.#deps;
    const { epoch, isRescued, ...item } = row;
    const { kind, deadlineMs } = this.worker;
    if (isRescued) rescuedTotal.inc({ kind });
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, lost.signal, AbortSignal.timeout(deadlineMs)]);
    const lease = new WorkLease(item, { sql, owner, epoch, signal, lost: () => lost.abort() });
    const performed: Promise<void> = this.#perform(item, lease)
      .catch((error: unknown) => void failed(error))
      .finally(() => running.delete(performed));
    running.set(performed, {
      accountId: item.accountId,
      lease,
      endsAt: performance.now() + deadlineMs,
    });
  }

  /** Renews the leases of what is being done within its deadline. */
  async #renew(running: ReadonlyMap<unknown, Running>): Promise<void> {
    const now = performance.now();
    for (const { lease, endsAt } of [...running.values()]) {
      if (lease.signal.aborted || now > endsAt) continue;
      await lease.keep().catch((error: unknown) => {
        // The attempt ends by its signal.
        if (!(error instanceof WorkLost)) throw error;
      });
    }
  }

  /** Claims due items: of several accounts one each, of a single account as many as there is room for. */
  async #claim(): Promise<ClaimedRow[]> {
    const full = this.#fullAccounts();
    const { places, perAccount = places } = this.worker;
    const free = places - this.#running.size;
    let accounts = await this.#dueAccounts([...full, ...this.#served]);
    if (accounts.length === 0 && this.#served.size > 0) {
      this.#served.clear();
      accounts = await this.#dueAccounts(full);
    }
    const next = accounts.slice(0, free);
    for (const account of next) this.#served.add(account);
    const [only] = next;
    const each = next.length === 1 ? Math.min(free, perAccount - this.#countOf(only!)) : 1;
    return this.#claimOf(next, each);
  }

  /** Accounts with due items, those that wait longest first. */
  async #dueAccounts(without: readonly number[]): Promise<number[]> {
    const { sql, placements } = this.#deps;
    const rows = await (placements.everywhere() ?? sql)<{ account_id: number; due_at: number }[]>`
      SELECT account_id, due_at ${this.due()} AND account_id <> ALL(${numbers(without)}::bigint[])
      ORDER BY due_at LIMIT ${CANDIDATES}`;
    // Each shard of a distributed database has sorted its own.
    const sorted = [...rows].sort((a, b) => a.due_at - b.due_at);
    return [...new Set(sorted.map((row) => row.account_id))];
  }

  /**
   * The claim: rows that another process claims in this moment are passed over. A CTE chooses the rows once. In a join
   * PostgreSQL may choose for each row, and update more than the limit. The claim does not wait for the disk: a power failure
   * may undo it, and the one attempt that ends the item first stores its result.
   */
  async #claimOf(accountIds: readonly number[], each: number): Promise<ClaimedRow[]> {
    const { sql, asyncCommitSql, placements, clock, owner } = this.#deps;
    const { kind } = this.worker;
    const claimed: ClaimedRow[] = [];
    for (const part of await byPlacement(placements, accountIds, (accountId) => accountId)) {
      const leaseNow = leaseClock.now();
      const accounts = numbers(part);
      const rows = await placements.sqlOf(part[0]!, asyncCommitSql)<ClaimedRow[]>`
        WITH c AS MATERIALIZED (
          SELECT d.* FROM unnest(${accounts}::bigint[]) AS a (id), LATERAL (
            SELECT account_id, key, lease_owner FROM work
            WHERE account_id = a.id AND account_id = ANY(${accounts}::bigint[]) AND kind = ${kind} AND state = 'waiting'
              AND due_at <= ${clock.now()} AND ${isFree(sql, leaseNow)}
            ORDER BY due_at, key LIMIT ${each} FOR UPDATE SKIP LOCKED
          ) d
        )
        UPDATE work w SET ${taken(sql, owner, leaseNow + LEASE_MS)}, lease_epoch = w.lease_epoch + 1,
          attempts = w.attempts + 1, again_at = NULL
        FROM c
        WHERE w.account_id = ANY(${accounts}::bigint[]) AND w.kind = ${kind} AND w.account_id = c.account_id AND w.key = c.key
        RETURNING w.account_id AS "accountId", w.kind, w.key, w.attempts, w.created_at AS "createdAt", w.due_at AS "dueAt",
          w.lease_epoch AS epoch, c.lease_owner IS NOT NULL AS "isRescued"`;
      claimed.push(...rows);
    }
    return claimed.sort((one, other) => one.dueAt - other.dueAt || one.key - other.key);
  }

  #countOf(accountId: number): number {
    return [...this.#running.values()].filter((one) => one.accountId === accountId).length;
  }

  #fullAccounts(): number[] {
    const { places, perAccount = places } = this.worker;
    const accounts = new Set([...this.#running.values()].map(({ accountId }) => accountId));
    const full = [...accounts].filter((accountId) => this.#countOf(accountId) >= perAccount);
    return [...full, ...(this.worker.full?.() ?? [])];
  }

  async #perform(item: WorkItem, lease: WorkLease): Promise<void> {
    const { kind } = this.worker;
    try {
      const outcome = await this.#attempt(item, lease);
      if (outcome === undefined) return await lease.giveBack();
      attemptsTotal.inc({ kind, outcome: await this.#settle(item, lease, outcome) });
    } catch (error) {
      if (!(error instanceof WorkLost)) throw error;
      if (this.#stopped.signal.aborted) return lease.giveBack();
      attemptsTotal.inc({ kind, outcome: 'lost' });
    }
  }

  /** Makes one attempt; undefined when it ended since the process stops. */
  async #attempt(item: WorkItem, lease: WorkLease): Promise<Outcome | undefined> {
    const { kind, step, retry } = this.worker;
    // Its process ended during each attempt, or lost the database.
    if (item.attempts > (retry.maxAttempts ?? Number.POSITIVE_INFINITY)) {
      return { failed: 'interrupted in every attempt', isFinal: true };
    }
    try {
      return await step.call(this.worker, item, lease);
    } catch (error) {
      if (error instanceof WorkLost || isDatabaseTrouble(error)) throw error;
      if (this.#stopped.signal.aborted) return undefined;
      const { accountId, key, attempts } = item;
      this.#deps.log.error({ err: error, kind, account: accountId, key, attempts }, 'background work failed');
      return { failed: 'fault of the service' };
    }
  }

  /** Stores the outcome of an attempt. Throws WorkLost. */
  async #settle(item: WorkItem, lease: WorkLease, outcome: Outcome): Promise<string> {
    const { sql, clock } = this.#deps;
    if (outcome === 'settled') return 'done';
    if (outcome === 'done') {
      await lease.done();
      return 'done';
    }
    if ('later' in outcome) {
      await lease.later(sql, outcome.later);
      return 'later';
    }
    const now = clock.now();
    const error = outcome.failed.slice(0, MAX_ERROR);
    const at = outcome.isFinal ? undefined : nextAttempt(this.worker.retry, item, now, outcome);
    if (at !== undefined) {
      const later = { attempts: item.attempts, error };
      await sql.begin(async (tx) => {
        await outcome.also?.(tx);
        await lease.later(tx, at, later);
      });
      return 'failed';
    }
    await sql.begin(async (tx) => {
      await outcome.also?.(tx);
      await this.worker.givenUp?.(tx, item, error);
      await lease.giveUp(tx, now, error);
    });
    const { accountId, kind, key, attempts } = item;
    this.#deps.log.warn({ kind, account: accountId, key, attempts, error }, 'background work abandoned');
    return 'abandoned';
  }
}
