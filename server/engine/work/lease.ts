import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isHeldBy, released, renewed } from '../../database/leases.ts';
import type { WorkItem } from './worker.ts';

/** Milliseconds for which an item is leased. The rescue of a killed process's work takes this long. */
export const LEASE_MS = 30_000;
/** Milliseconds after which a lease is renewed. */
const RENEW_MS = 10_000;

/** Another process has the item now, or it was discarded: what this one was about to store is void. */
export class WorkLost extends Error {
  override readonly name = 'WorkLost';

  constructor() {
    super('another process has the work now');
  }
}

interface LeaseDeps {
  readonly sql: Sql;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly epoch: number;
  /** Ends the attempt: the process stops, the deadline is over or the lease is lost. */
  readonly signal: AbortSignal;
  /** Called when the lease is lost. */
  readonly lost: () => void;
}

/**
 * The right to store the result of one item. Every statement of it compares owner and epoch, so an attempt that was paused
 * beyond its lease changes nothing, even if the same process has claimed the item again.
 */
export class WorkLease {
  readonly item: WorkItem;
  readonly signal: AbortSignal;
  readonly #deps: LeaseDeps;
  #renewedAt = performance.now();

  constructor(item: WorkItem, deps: LeaseDeps) {
    this.item = item;
    this.signal = deps.signal;
    this.#deps = deps;
  }

  /** Renews the lease when it is a third over. Throws WorkLost when it is another's, and when the attempt is to end. */
  async keep(): Promise<void> {
    if (this.signal.aborted) throw new WorkLost();
    if (performance.now() - this.#renewedAt < RENEW_MS) return;
    const began = performance.now();
    const { sql } = this.#deps;
    const { count } = await sql`
      UPDATE work SET ${renewed(sql, leaseClock.now() + LEASE_MS)} WHERE ${this.#fence(sql)}`;
    this.#hold(count);
    this.#renewedAt = began;
  }

  /** Whether the attempt ended by its signal before its deadline: the process stops, or the lease is lost. */
  get isInterrupted(): boolean {
    return this.signal.aborted && (this.signal.reason as Error).name !== 'TimeoutError';
  }

  /** Locks the item until the transaction ends: nobody else can claim it before. Throws WorkLost. */
  async hold(tx: TransactionSql): Promise<void> {
    const { count } = await tx`SELECT 1 FROM work WHERE ${this.#fence(tx)} FOR UPDATE`;
    this.#hold(count);
  }

  /** Deletes the item: its work is done. An item that was wanted during the attempt stays. Throws WorkLost. */
  async done(sql: Queryable = this.#deps.sql): Promise<void> {
    const { count: deleted } = await sql`DELETE FROM work WHERE ${this.#fence(sql)} AND again_at IS NULL`;
    if (deleted > 0) return;
    const { count } = await sql`
      UPDATE work SET due_at = again_at, again_at = NULL, attempts = 0, last_error = '', ${released(sql)}
      WHERE ${this.#fence(sql)}`;
    this.#hold(count);
  }

  /** Ends the attempt; the next one is due at a time. `failure` is left out after progress. Throws WorkLost. */
  async later(
    sql: Queryable,
    dueAt: number,
    { attempts, error }: { readonly attempts: number; readonly error: string } = { attempts: 0, error: '' },
  ): Promise<void> {
    const { count } = await sql`
      UPDATE work SET due_at = least(${dueAt}::bigint, coalesce(again_at, ${dueAt}::bigint)), again_at = NULL,
        attempts = ${attempts}, last_error = ${error}, ${released(sql)}
      WHERE ${this.#fence(sql)}`;
    this.#hold(count);
  }

  /** Gives the item up: it stays for operators, without further attempts. Throws WorkLost. */
  async giveUp(sql: Queryable, now: number, error: string): Promise<void> {
    const { count } = await sql`
      UPDATE work SET state = 'failed', due_at = ${now}, again_at = NULL, last_error = ${error}, ${released(sql)}
      WHERE ${this.#fence(sql)}`;
    this.#hold(count);
  }

  /** Ends an interrupted attempt, which does not count. Other processes can claim the item now. */
  async giveBack(): Promise<void> {
    const { sql } = this.#deps;
    await sql`
      UPDATE work SET attempts = attempts - 1, ${released(sql)} WHERE ${this.#fence(sql)}`;
  }

  #fence(sql: Queryable) {
    const { accountId, kind, key } = this.item;
    return sql`account_id = ${accountId} AND kind = ${kind} AND key = ${key}
      AND ${isHeldBy(sql, this.#deps)} AND state = 'waiting'`;
  }

  #hold(count: number): void {
    if (count > 0) return;
    this.#deps.lost();
    throw new WorkLost();
  }
}
