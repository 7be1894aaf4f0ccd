import type { Sql, TransactionSql } from '../database/connection.ts';
import { idFloor } from '../ids.ts';
import type { Event } from './types.ts';

/** How long a process has for a batch. It needs seconds: what is slow or fails is stored as deliveries. */
export const LEASE_MS = 60_000;
/** More events than this in one transaction become several batches. */
export const BATCH_EVENTS = 500;

/** A batch in the queue. */
export interface FreeBatch {
  readonly account_id: number;
  readonly batch_id: number;
  readonly count: number;
}

/** Writes a batch, and its place in the queue, leased to `owner` until `until` where given. */
export async function insertBatch(
  tx: TransactionSql,
  accountId: number,
  id: number,
  events: readonly Event[],
  owner: string | null,
  until: number,
): Promise<void> {
  // Two statements and not one with unnest: single-row inserts go straight to the account's shard.
  await Promise.all([
    tx`
      INSERT INTO event_batches (account_id, id, events) VALUES (${accountId}, ${id}, ${JSON.stringify(events)})`,
    tx`
      INSERT INTO event_queue (account_id, batch_id, count, lease_owner, lease_until)
      VALUES (${accountId}, ${id}, ${events.length}, ${owner}, ${until})`,
  ]);
}

/** Batches that nobody works on, up to `most`, accounts taking turns. */
export function freeBatches(sql: Sql, now: number, most: number): Promise<FreeBatch[]> {
  return sql<FreeBatch[]>`
    SELECT account_id, batch_id, count FROM (
      SELECT account_id, batch_id, count, row_number() OVER (PARTITION BY account_id ORDER BY batch_id) AS turn
      FROM event_queue WHERE lease_until <= ${now}
    ) AS free ORDER BY turn, batch_id LIMIT ${most}`;
}

/** Leases batches of one account. Returns those that were still free. */
export async function claimBatches(
  sql: Sql,
  accountId: number,
  batchIds: readonly number[],
  owner: string,
  now: number,
): Promise<number[]> {
  const rows = await sql<{ batch_id: number }[]>`
    UPDATE event_queue SET lease_owner = ${owner}, lease_until = ${now + LEASE_MS}
    WHERE account_id = ${accountId} AND batch_id = ANY (${batchIds as number[]}::bigint[]) AND lease_until <= ${now}
    RETURNING batch_id`;
  return rows.map((row) => row.batch_id);
}

/** The events of batches; a batch whose partition was dropped is not among them. */
export async function readBatches(
  sql: Sql,
  accountId: number,
  batchIds: readonly number[],
): Promise<{ id: number; events: Event[] }[]> {
  const rows = await sql<{ id: number; events: string }[]>`
    SELECT id, events FROM event_batches WHERE account_id = ${accountId} AND id = ANY (${batchIds as number[]}::bigint[])`;
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as Event[] }));
}

/** Takes batches that are through off the queue. */
export async function removeBatches(
  sql: Sql | TransactionSql,
  accountId: number,
  batchIds: readonly number[],
): Promise<void> {
  await sql`
    DELETE FROM event_queue WHERE account_id = ${accountId} AND batch_id = ANY (${batchIds as number[]}::bigint[])`;
}

/** The oldest batch that is not through, or null. */
export async function oldestBatch(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ oldest: number | null }[]>`SELECT min(batch_id) AS oldest FROM event_queue`;
  return row!.oldest;
}

/** The batches of an account that were recorded from `from` to before `to`, oldest first, after `after`. */
export async function batchesBetween(
  sql: Sql,
  accountId: number,
  from: number,
  to: number,
  after: number,
): Promise<{ id: number; events: Event[] }[]> {
  const rows = await sql<{ id: number; events: string }[]>`
    SELECT id, events FROM event_batches
    WHERE account_id = ${accountId} AND id >= ${idFloor(from)} AND id < ${idFloor(to)} AND id > ${after}
    ORDER BY id LIMIT 20`;
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as Event[] }));
}
