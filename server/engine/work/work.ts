import { numbers } from '../../database/arrays.ts';
import { bigints } from '../../database/binary-arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { DueJob } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import type { RowAccounts } from '../../database/row-accounts.ts';
import { Refusal } from '../../kit/errors.ts';
import type { WorkState } from './list.ts';
import { measureWork } from './metrics.ts';
import { type RunnerDeps, WorkRunner } from './runner.ts';
import type { Worker } from './worker.ts';

/** Limit of rows of the previous version for which one step adds items. */
const ADOPTED_AT_ONCE = 500;
const ADOPTION_MS = 10_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Milliseconds that an owner has beyond the deadline of its slowest attempt. */
const MARGIN_MS = 60_000;

/** Names an item of background work. */
export interface WorkKey {
  readonly accountId: number;
  readonly kind: string;
  readonly key: number;
}

/** Makes an existing item due now. An attempt under way is followed by another one. */
export async function hurry(tx: Queryable, { accountId, kind, key }: WorkKey): Promise<void> {
  await tx`
    UPDATE work SET due_at = 0, again_at = 0
    WHERE account_id = ${accountId} AND kind = ${kind} AND key = ${key} AND state = 'waiting'`;
}

/**
 * Makes an item due at a time, and adds a missing one. An earlier due time stays. An attempt under way is followed by another
 * one.
 */
export async function wantWork(
  tx: Queryable,
  { accountId, kind, key }: WorkKey,
  dueAt: number,
  now: number,
): Promise<void> {
  await tx`
    INSERT INTO work AS w (account_id, kind, key, due_at, again_at, created_at)
    VALUES (${accountId}, ${kind}, ${key}, ${dueAt}, ${dueAt}, ${now})
    ON CONFLICT ON CONSTRAINT work_pkey DO UPDATE
      SET due_at = least(w.due_at, excluded.due_at), again_at = excluded.again_at, state = 'waiting',
        attempts = CASE WHEN w.state = 'failed' THEN 0 ELSE w.attempts END,
        created_at = CASE WHEN w.state = 'failed' THEN excluded.created_at ELSE w.created_at END`;
}

/** An item before it is stored. Times in milliseconds since the epoch. */
interface NewItem {
  readonly key: number;
  readonly dueAt: number;
  readonly createdAt: number;
}

/** Inserts items of a kind, as a part of the statement that stores the rows that they are about. */
export const insertWork = (
  sql: Queryable,
  { account, from, named, where }: RowAccounts,
  kind: string,
  items: readonly NewItem[],
) => sql`
  INSERT INTO work (account_id, kind, key, due_at, created_at)
  SELECT ${account}, ${kind}::text, u.key, u.due_at, u.created_at
  FROM ${from}
    ${bigints(items.map(({ key }) => key))}::bigint[],
    ${bigints(items.map(({ dueAt }) => dueAt))}::bigint[],
    ${bigints(items.map(({ createdAt }) => createdAt))}::bigint[]
  ) AS u (${named} key, due_at, created_at)
  ${where}`;

/** Deletes items of an account together with their rows. Attempts under way store nothing. */
export async function removeWork(
  tx: Queryable,
  accountId: number,
  kind: string,
  keys: readonly number[],
): Promise<void> {
  await tx`
    DELETE FROM work WHERE account_id = ${accountId} AND kind = ${kind} AND key = ANY(${numbers(keys)}::bigint[])`;
}

/**
 * Background work of every kind (docs/decisions/0001-background-work.md). Modules register a `Worker` for each kind when they are
 * opened, and add items in the transaction of the rows that the work is about.
 */
export class Work {
  readonly #deps: RunnerDeps;
  readonly #runners = new Map<string, WorkRunner>();

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Registers a kind, before anything runs. Returns what does its items in this process. */
  register(worker: Worker): WorkRunner {
    if (this.#runners.has(worker.kind)) throw new Error(`${worker.kind} is registered twice`);
    const runner = new WorkRunner(this.#deps, worker);
    this.#runners.set(worker.kind, runner);
    return runner;
  }

  /** Every kind that is registered. */
  get workers(): readonly Worker[] {
    return [...this.#runners.values()].map(({ worker }) => worker);
  }

  /** The loops that do the work, one for each kind. */
  get jobs(): readonly DueJob[] {
    return [
      ...[...this.#runners.values()].map((runner) => ({
        owner: runner.worker.owner,
        everyMs: runner.worker.everyMs ?? SECOND_MS,
        limitMs: runner.worker.limitMs ?? runner.worker.deadlineMs + MARGIN_MS,
        step: () => runner.run(),
        due: () => [runner.due()],
        stop: () => runner.stop(),
      })),
      { owner: 'background work', everyMs: ADOPTION_MS, firstMs: 0, step: () => this.adopt() },
    ];
  }

  /** Adds items for the rows of a process of the previous version. */
  async adopt(): Promise<void> {
    const { sql } = this.#deps;
    for (const { kind, previous } of this.workers) {
      if (!previous) continue;
      const leaseNow = leaseClock.now();
      for (const of of await previous.waiting(sql, leaseNow, ADOPTED_AT_ONCE)) {
        await sql.begin(async (tx) => {
          const dueAt = await previous.take(tx, of, leaseNow);
          if (dueAt !== undefined) await this.want(tx, { ...of, kind }, dueAt);
        });
      }
    }
  }

  /** Adds an item, in the transaction of the rows that it is about. */
  async add(tx: Queryable, { accountId, kind, key }: WorkKey, dueAt = this.#deps.clock.now()): Promise<void> {
    await tx`
      INSERT INTO work (account_id, kind, key, due_at, created_at)
      VALUES (${accountId}, ${kind}, ${key}, ${dueAt}, ${this.#deps.clock.now()})`;
  }

  /** Makes an item due at a time (`wantWork`). */
  want(tx: Queryable, key: WorkKey, dueAt = this.#deps.clock.now()): Promise<void> {
    return wantWork(tx, key, dueAt, this.#deps.clock.now());
  }

  /** Adds a missing item, which is due now. */
  async ensure(sql: Queryable, { accountId, kind, key }: WorkKey): Promise<void> {
    const now = this.#deps.clock.now();
    await sql`
      INSERT INTO work (account_id, kind, key, due_at, created_at)
      VALUES (${accountId}, ${kind}, ${key}, ${now}, ${now})
      ON CONFLICT ON CONSTRAINT work_pkey DO NOTHING`;
  }

  /** Deletes an item together with its rows. An attempt under way stores nothing. */
  remove(tx: Queryable, { accountId, kind, key }: WorkKey): Promise<void> {
    return removeWork(tx, accountId, kind, [key]);
  }

  /** Returns what operators can do with an item of a kind in a state: the conditions of `retry` and `discard`. */
  permits(kind: string, state: WorkState): { readonly retry: boolean; readonly discard: boolean } {
    const worker = this.#runners.get(kind)?.worker;
    if (state === 'running') return { retry: false, discard: false };
    if (state === 'failed') return { retry: worker?.reopen !== undefined, discard: true };
    return { retry: true, discard: worker?.isDiscardable ?? false };
  }

  /**
   * Makes an item due now, even an abandoned one. Returns false for an unknown item. Throws Refusal `not-now` for
   * one that is being done or cannot be repeated.
   */
  async retry({ accountId, kind, key }: WorkKey): Promise<boolean> {
    const { sql, clock } = this.#deps;
    return sql.begin(async (tx) => {
      const item = await this.#locked(tx, { accountId, kind, key });
      if (!item) return false;
      if (item.state === 'failed') {
        const worker = this.#runners.get(kind)?.worker;
        if (!worker?.reopen || !(await worker.reopen(tx, { accountId, key }))) {
          throw new Refusal('not-now', 'this work cannot be repeated', undefined, {
            reason: 'work-not-repeatable',
          });
        }
      }
      await tx`
        UPDATE work SET state = 'waiting', due_at = ${clock.now()}, attempts = 0, created_at = ${clock.now()}
        WHERE account_id = ${accountId} AND kind = ${kind} AND key = ${key}`;
      return true;
    });
  }

  /**
   * Deletes an item, after its kind has recorded the end. Returns false for an unknown item. Throws Refusal `not-now`
   * for one that is being done or must not be discarded.
   */
  async discard({ accountId, kind, key }: WorkKey): Promise<boolean> {
    const { sql } = this.#deps;
    return sql.begin(async (tx) => {
      const item = await this.#locked(tx, { accountId, kind, key });
      if (!item) return false;
      if (item.state === 'waiting') {
        const worker = this.#runners.get(kind)?.worker;
        if (!worker?.isDiscardable)
          throw new Refusal('not-now', 'this work must not be discarded', undefined, {
            reason: 'work-not-discardable',
          });
        await worker.givenUp?.(tx, { accountId, key }, 'discarded by an operator');
      }
      await this.remove(tx, { accountId, kind, key });
      return true;
    });
  }

  /** Deletes items that were abandoned `keepDays` ago. */
  async cleanUp(keepDays: number): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM work WHERE state = 'failed' AND due_at < ${clock.now() - keepDays * DAY_MS}`;
  }

  /** Measures waiting and abandoned items. */
  async measure(): Promise<void> {
    const { sql, clock } = this.#deps;
    await measureWork(sql, [...this.#runners.keys()], clock.now());
  }

  /** The row of an item that is not being done. Throws Refusal `not-now`. */
  async #locked(tx: TransactionSql, { accountId, kind, key }: WorkKey) {
    const [row] = await tx<{ state: 'waiting' | 'failed'; lease_until: number }[]>`
      SELECT state, lease_until FROM work
      WHERE account_id = ${accountId} AND kind = ${kind} AND key = ${key} FOR UPDATE`;
    if (row && row.lease_until >= leaseClock.now())
      throw new Refusal('not-now', 'this work is being done', undefined, { reason: 'work-in-progress' });
    return row;
  }
}
