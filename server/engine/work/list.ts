import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isLeased } from '../../database/leases.ts';

/* Background work as operators see it. */

/** Rows of one list. */
const MAX_GROUPS = 500;
const MAX_ITEMS = 200;

/**
 * - `waiting`: before its first attempt, or between two turns
 * - `running`: a process works on it
 * - `retrying`: the last attempt failed, another one follows
 * - `failed`: abandoned
 */
export const workStates = ['waiting', 'running', 'retrying', 'failed'] as const;
export type WorkState = (typeof workStates)[number];

/** Items of one kind and account. */
export interface WorkGroup {
  readonly kind: string;
  readonly accountId: number;
  /** Undefined: the operator, or an account that was deleted. */
  readonly username: string | undefined;
  readonly waiting: number;
  readonly running: number;
  readonly retrying: number;
  readonly failed: number;
  /** Time of the earliest due attempt, milliseconds since the epoch; null: none. */
  readonly oldestAt: number | null;
  /** Error of one of the failed attempts; empty for none. */
  readonly error: string;
}

/** One item. Times are milliseconds since the epoch. */
export interface ListedItem {
  readonly kind: string;
  readonly accountId: number;
  readonly username: string | undefined;
  readonly key: number;
  readonly state: WorkState;
  readonly attempts: number;
  readonly dueAt: number;
  readonly createdAt: number;
  readonly error: string;
}

export interface WorkFilter {
  readonly kind?: string | undefined;
  readonly accountId?: number | undefined;
  readonly state?: WorkState | undefined;
}

const stateOf = (sql: Sql, leaseNow: number) => sql`
  CASE WHEN state = 'failed' THEN 'failed' WHEN ${isLeased(sql, leaseNow)} THEN 'running'
    WHEN last_error <> '' THEN 'retrying' ELSE 'waiting' END`;

/** Returns the items by kind and account, those with failures first, 500 groups at most. Throws errors of the database. */
export async function listWork(sql: Sql): Promise<WorkGroup[]> {
  const leaseNow = leaseClock.now();
  const groups = await sql<Omit<WorkGroup, 'username'>[]>`
    SELECT kind, account_id AS "accountId",
      count(*) FILTER (WHERE state = 'waiting')::int AS waiting, count(*) FILTER (WHERE state = 'running')::int AS running,
      count(*) FILTER (WHERE state = 'retrying')::int AS retrying, count(*) FILTER (WHERE state = 'failed')::int AS failed,
      min(due_at) FILTER (WHERE state <> 'failed') AS "oldestAt", max(last_error) AS error
    FROM (SELECT kind, account_id, due_at, last_error, ${stateOf(sql, leaseNow)} AS state FROM work) w
    GROUP BY kind, account_id
    ORDER BY failed DESC, retrying DESC, "oldestAt", kind, "accountId" LIMIT ${MAX_GROUPS}`;
  return withNames(sql, groups);
}

/** Returns items, those due first, 200 at most. Throws errors of the database. */
export async function listItems(sql: Sql, { kind, accountId, state }: WorkFilter): Promise<ListedItem[]> {
  const leaseNow = leaseClock.now();
  const items = await sql<Omit<ListedItem, 'username'>[]>`
    SELECT kind, account_id AS "accountId", key, attempts, due_at AS "dueAt", created_at AS "createdAt", last_error AS error,
      ${stateOf(sql, leaseNow)} AS state
    FROM work
    WHERE ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
      AND ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
      AND ${state === undefined ? sql`true` : sql`${stateOf(sql, leaseNow)} = ${state}`}
    ORDER BY due_at, account_id, key LIMIT ${MAX_ITEMS}`;
  return withNames(sql, items);
}

async function withNames<Row extends { readonly accountId: number }>(
  sql: Sql,
  rows: readonly Row[],
): Promise<(Row & { readonly username: string | undefined })[]> {
  const names = await sql<{ id: number; username: string }[]>`
    SELECT id, username FROM accounts
    WHERE id = ANY(${numbers([...new Set(rows.map(({ accountId }) => accountId))])}::bigint[])`;
  const byId = new Map(names.map(({ id, username }) => [id, username]));
  return rows.map((row) => ({ ...row, username: byId.get(row.accountId) }));
}
