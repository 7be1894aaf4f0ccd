import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Owner } from '../../kit/owners.ts';
import type { WorkLease } from './lease.ts';

/** One item of background work, as it was claimed. Times in milliseconds since the epoch. */
export interface WorkItem {
  /** 0: the operator. */
  readonly accountId: number;
  readonly kind: string;
  readonly key: number;
  /** Attempts since the last success, with this one. */
  readonly attempts: number;
  readonly createdAt: number;
  readonly dueAt: number;
}

/** When failed attempts are repeated. */
export interface RetryPolicy {
  /** Pauses after the first, second … failed attempt; the last one repeats. */
  readonly pausesMs: readonly number[];
  /** Number of attempts after which the queue abandons an item. */
  readonly maxAttempts?: number;
  /** Age at which the queue abandons an item instead of waiting for another attempt. */
  readonly giveUpMs?: number;
}

/**
 * The result of an attempt:
 * - `done`: the item is deleted
 * - `settled`: the step has ended the item in its own transaction (`WorkLease.done`, `WorkLease.later`)
 * - `later`: another attempt is due at this time; the item has not failed
 * - `failed`: another attempt follows by the retry policy, not before `afterMs`; none with `isFinal`. `error` is shown to
 *   operators and must not contain personal data
 */
export type Outcome =
  | 'done'
  | 'settled'
  | { readonly later: number }
  | {
      readonly failed: string;
      readonly afterMs?: number | undefined;
      /** The pause instead of that of the policy. */
      readonly pauseMs?: number | undefined;
      readonly isFinal?: boolean;
      /** Stores what the kind keeps about the failure, in the transaction that ends the attempt. */
      readonly also?: (tx: TransactionSql) => Promise<void>;
    };

/**
 * Items that a process of the version before 0132 has stored in the tables of the kind. `Work.adopt` takes them over, also while such
 * processes run beside this one. To be removed with the columns, a release later.
 */
export interface PreviousItems {
  /** Returns rows that nobody works on, at most `limit`. `leaseNow` is the database's time. */
  waiting(sql: Queryable, leaseNow: number, limit: number): PromiseLike<readonly PreviousKey[]>;
  /** Hides a row from the version before. Returns when it is due; undefined when a process works on it now. */
  take(tx: TransactionSql, of: PreviousKey, leaseNow: number): Promise<number | undefined>;
}

export interface PreviousKey {
  readonly accountId: number;
  readonly key: number;
}

/** `due_at` of a row that the version before must not take, where the column cannot be null. */
export const HIDDEN = Number.MAX_SAFE_INTEGER;

/** One kind of background work. */
export interface Worker {
  /** Name in the table `work`, in metrics and for operators. Never changes. */
  readonly kind: string;
  /** Loop in which the items of this kind are done. */
  readonly owner: Owner;
  /** Milliseconds between two looks for due items. */
  readonly everyMs?: number;
  /** Items at a time in one process. */
  readonly places: number;
  /** Items of one account among them. Default: all. */
  readonly perAccount?: number;
  /** Milliseconds after which the signal of an attempt aborts and its lease is not renewed any more. */
  readonly deadlineMs: number;
  /** Milliseconds without progress after which the loop is abandoned. Default: a minute more than the deadline. */
  readonly limitMs?: number;
  readonly retry: RetryPolicy;
  /** Makes one attempt. An error that it throws is a failed attempt, except for database trouble: then the lease runs out. */
  step(item: WorkItem, lease: WorkLease): Promise<Outcome>;
  /** Whether this process can do such work now. Default: yes. */
  isReady?(): boolean;
  /** Returns accounts of which no item can begin now. */
  full?(): readonly number[];
  /** Records an abandoned item, in the transaction that ends it. */
  givenUp?(tx: TransactionSql, item: Pick<WorkItem, 'accountId' | 'key'>, error: string): Promise<void>;
  /** Undoes `givenUp`, when an operator retries the item. Returns false when there is nothing to retry any more. */
  reopen?(tx: TransactionSql, item: Pick<WorkItem, 'accountId' | 'key'>): Promise<boolean>;
  /** Whether operators may discard items. Default: no, since somebody still waits for the result. */
  readonly isDiscardable?: boolean;
  readonly previous?: PreviousItems;
}

/** Returns the time of the next attempt after a failed one; undefined for an item to abandon. */
export function nextAttempt(
  { pausesMs, maxAttempts = Number.POSITIVE_INFINITY, giveUpMs = Number.POSITIVE_INFINITY }: RetryPolicy,
  { attempts, createdAt }: Pick<WorkItem, 'attempts' | 'createdAt'>,
  now: number,
  { afterMs = 0, pauseMs }: { readonly afterMs?: number | undefined; readonly pauseMs?: number | undefined },
): number | undefined {
  const pause = pauseMs ?? pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  const at = now + Math.max(pause, afterMs);
  return attempts >= maxAttempts || at > createdAt + giveUpMs ? undefined : at;
}
