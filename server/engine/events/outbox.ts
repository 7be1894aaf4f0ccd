import { accountsOf, numbers, rangeOf } from '../../database/arrays.ts';
import { bigints, ints, textArray } from '../../database/binary-arrays.ts';
import type { Query, Row, Sql, TransactionSql } from '../../database/connection.ts';
import { fenceByName, hasKey, isFree, keyRows, taken } from '../../database/leases.ts';
import { isOfAccounts } from '../../database/rows-by-key.ts';
import { idFloor } from '../../kit/ids.ts';
import type { Event } from './types.ts';

/** Lease of a batch. It needs seconds: items that are slow or fail are stored as deliveries. */
export const LEASE_MS = 60_000;
/** Maximum events per batch; a transaction with more writes several batches. */
export const BATCH_EVENTS = 500;

/** A free batch in the queue. */
export interface FreeBatch {
  readonly account_id: number;
  readonly batch_id: number;
  readonly count: number;
}

/** A batch to write. */
export interface NewBatch {
  readonly accountId: number;
  readonly id: number;
  readonly count: number;
  /** Its events, as JSON. */
  readonly events: string;
  /** Claim of the lease (database/leases.ts); null without a lease. */
  readonly claim: string | null;
  /** End of the lease, in milliseconds since the epoch. */
  readonly until: number;
}

/** Writes batches of accounts of one placement, and their queue rows. Throws when an account has no wallet. */
export async function insertBatches(tx: TransactionSql, batches: readonly NewBatch[]): Promise<void> {
  const { accountIds, ids, accounts } = columnsOf(batches);
  // Two statements: Citus does not run a statement with two INSERTs into distributed tables.
  await tx`
    INSERT INTO event_batches (account_id, id, events)
    SELECT w.account_id, u.id, u.events
    FROM wallets w, unnest(
      ${accountIds}::bigint[], ${ids}::bigint[], ${textArray(batches.map(({ accountId, events }) => tx.waitingText(accountId, events)))}::text[]
    ) AS u (account_id, id, events)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accounts}::bigint[])`;
  const { count } = await tx`
    INSERT INTO event_queue (account_id, batch_id, count, lease_owner, lease_until)
    SELECT w.account_id, u.id, u.count, u.owner, u.until
    FROM wallets w, unnest(
      ${accountIds}::bigint[], ${ids}::bigint[], ${ints(batches.map(({ count }) => count))}::integer[],
      ${textArray(batches.map(({ claim }) => claim))}::text[], ${bigints(batches.map(({ until }) => until))}::bigint[]
    ) AS u (account_id, id, count, owner, until)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accounts}::bigint[])`;
  if (count !== batches.length) throw new Error('an account with events has no wallet');
}

/** Returns free batches, up to `most`, in turns by account. */
export function freeBatches(sql: Sql, leaseNow: number, most: number): Promise<FreeBatch[]> {
  return sql<FreeBatch[]>`
    SELECT account_id, batch_id, count FROM (
      SELECT account_id, batch_id, count, row_number() OVER (PARTITION BY account_id ORDER BY batch_id) AS turn
      FROM event_queue WHERE ${isFree(sql, leaseNow)}
    ) AS free ORDER BY turn, batch_id LIMIT ${most}`;
}

/** Key of a batch. */
export interface BatchKey {
  readonly accountId: number;
  readonly id: number;
}

/** Key of a leased batch, and the claim of its lease. */
export interface ClaimedBatch extends BatchKey {
  readonly claim: string;
}

function columnsOf(batches: readonly BatchKey[]) {
  const ids = batches.map(({ id }) => id);
  return {
    /** One account per batch. */
    accountIds: numbers(batches.map(({ accountId }) => accountId)),
    ids: numbers(ids),
    accounts: accountsOf(batches),
  };
}

/** Leases batches of accounts of one placement. Returns the ids of those that were still free. */
export async function claimBatches(
  sql: Sql,
  batches: readonly BatchKey[],
  claim: string,
  leaseNow: number,
): Promise<Set<number>> {
  const rows = await sql<{ batch_id: number }[]>`
    UPDATE event_queue r SET ${taken(sql, claim, leaseNow + LEASE_MS)} FROM ${keyRows(sql, batches)}
    WHERE ${hasKey(sql, batches, sql`r.batch_id`)} AND ${isFree(sql, leaseNow)}
    RETURNING r.batch_id`;
  return new Set(rows.map((row) => row.batch_id));
}

/** Reads the events of batches; omits batches whose partition was dropped. */
export async function readBatches(
  sql: Sql,
  batches: readonly BatchKey[],
): Promise<{ accountId: number; id: number; events: Event[] }[]> {
  const { first, last } = rangeOf(batches.map(({ id }) => id));
  const rows = await sql<{ accountId: number; id: number; events: string }[]>`
    SELECT e.account_id AS "accountId", e.id, e.events
    FROM ${keyRows(sql, batches)} JOIN event_batches e ON e.account_id = u.account_id AND e.id = u.id
    WHERE ${isOfAccounts(sql, sql`e.account_id`, batches)} AND e.id >= ${first} AND e.id <= ${last} ORDER BY e.id`;
  return rows.map((row) => ({ ...row, events: JSON.parse(row.events) as Event[] }));
}

/**
 * Removes finished batches of accounts of one placement from the queue. Returns the ids of those whose claims still had
 * the lease; others stay with the claim that has taken them over.
 */
export async function removeBatches(
  sql: Sql | TransactionSql,
  batches: readonly ClaimedBatch[],
): Promise<Set<number>> {
  const claims = batches.map(({ claim }) => ({ owner: claim }));
  const rows = await sql<{ batch_id: number }[]>`
    DELETE FROM event_queue r USING ${keyRows(sql, batches, fenceByName.columns(sql, claims))}
    WHERE ${hasKey(sql, batches, sql`r.batch_id`)} AND ${fenceByName.isHeld(sql)}
    RETURNING r.batch_id`;
  return new Set(rows.map((row) => row.batch_id));
}

/** Returns the oldest unfinished batch, or null. */
export async function oldestBatch(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ oldest: number | null }[]>`SELECT min(batch_id) AS oldest FROM event_queue`;
  return row!.oldest;
}

interface StoredBatch {
  readonly id: number;
  readonly events: Event[];
}

/**
 * Returns the batches of an account that were recorded from `from` (inclusive) to `to` (exclusive) and follow `after`,
 * oldest first.
 */
export function batchesBetween(
  sql: Sql,
  accountId: number,
  from: number,
  to: number,
  after: number,
): Promise<StoredBatch[]> {
  const ids = sql`id >= ${idFloor(from)} AND id < ${idFloor(to)} AND id > ${after}`;
  return batchesOf(sql, accountId, sql`${ids} ORDER BY id LIMIT 20`);
}

/** Returns batches of an account with ids from `first` (inclusive) to `end` (exclusive), newest first. */
export function batchesBefore(
  sql: Sql,
  accountId: number,
  first: number,
  end: number,
  most: number,
): Promise<StoredBatch[]> {
  const ids = sql`id >= ${first} AND id < ${end}`;
  return batchesOf(sql, accountId, sql`${ids} ORDER BY id DESC LIMIT ${most}`);
}

/** Returns batches of an account; `which` has the condition and the order. */
async function batchesOf(sql: Sql, accountId: number, which: Query<Row[]>): Promise<StoredBatch[]> {
  const rows = await sql<{ id: number; events: string }[]>`
    SELECT id, events FROM event_batches WHERE account_id = ${accountId} AND ${which}`;
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as Event[] }));
}
