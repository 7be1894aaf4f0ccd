import { bigints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { TableBeside } from '../../database/rows-beside.ts';
import { status } from '../../kit/statuses.ts';
import { insertWork } from '../work/work.ts';
import type { Replaced } from './sender.ts';

/** Kind of background work: the looks for messages to replace, by the shipment. */
export const FALLBACK = 'fallback';

/** A fallback before it is stored. */
export interface NewFallback {
  readonly accountId: number;
  readonly shipmentId: number;
  /** Id of the other channel. */
  readonly channel: number;
  readonly afterMs: number;
  /** JSON. */
  readonly content: string;
  /** First look for messages to replace, and now, in milliseconds since the epoch. */
  readonly lookAt: number;
  readonly now: number;
}

/** Stores fallbacks with their shipments, in the same statement. */
export const fallbacksBeside: TableBeside<NewFallback> = {
  cte: (sql, { account, from, named, where }, rows) => sql`fallbacks_of AS (
    INSERT INTO fallbacks (account_id, id, channel, after_ms, content, place)
    SELECT ${account}, u.id, u.channel, u.after_ms, u.content, u.id
    FROM ${from}
      ${bigints(rows.map(({ shipmentId }) => shipmentId))}::bigint[],
      ${smallints(rows.map(({ channel }) => channel))}::smallint[],
      ${bigints(rows.map(({ afterMs }) => afterMs))}::bigint[],
      ${textArray(rows.map(({ accountId, content }) => sql.waitingText(accountId, content)))}::text[]
    ) AS u (${named} id, channel, after_ms, content)
    ${where})`,
};

/** Stores the background work of fallbacks, in the same statement. */
export const stepsBeside: TableBeside<NewFallback> = {
  cte: (sql, accounts, rows) =>
    sql`fallback_steps AS (${insertWork(
      sql,
      accounts,
      FALLBACK,
      rows.map(({ shipmentId, lookAt, now }) => ({ key: shipmentId, dueAt: lookAt, createdAt: now })),
    )})`,
};

/** An open fallback with its shipment. Times are milliseconds since the epoch. */
export interface OpenFallback {
  readonly channel: number;
  readonly after_ms: number;
  readonly content: string | null;
  readonly place: number;
  readonly blocked_at: number | null;
  /** One of `shipmentStates`; null if the shipment was removed. */
  readonly state: number | null;
  readonly paused_at: number | null;
  readonly due_at: number;
  readonly lane: number;
  readonly campaign_name: string | null;
  readonly last_id: number;
  /** Whether each recipient has a message. */
  readonly is_made: boolean;
}

/** Returns an open fallback. */
export async function findOpenFallback(
  sql: Sql,
  accountId: number,
  id: number,
): Promise<OpenFallback | undefined> {
  const [row] = await sql<OpenFallback[]>`
    SELECT f.channel, f.after_ms, f.content, f.place, f.blocked_at, s.state, s.paused_at, s.due_at, s.lane,
      s.campaign_name, s.last_id, NOT EXISTS (
        SELECT FROM campaigns c WHERE c.account_id = ${accountId} AND c.id = ${id} AND c.next_at IS NOT NULL) AS is_made
    FROM fallbacks f LEFT JOIN shipments s ON s.account_id = ${accountId} AND s.id = ${id}
    WHERE f.account_id = ${accountId} AND f.id = ${id} AND f.state = 'open'`;
  return row;
}

/**
 * Ends an open fallback, with the reason if messages are not decided, and deletes its content. Returns whether it was open.
 */
export async function endFallback(
  tx: Queryable,
  accountId: number,
  id: number,
  reason: string | null,
): Promise<boolean> {
  const { count } = await tx`
    UPDATE fallbacks SET state = 'ended', reason = ${reason}, blocked_at = NULL, content = NULL
    WHERE account_id = ${accountId} AND id = ${id} AND state = 'open'`;
  return count > 0;
}

/** Reason of a fallback that ended with its send. */
export const CANCELLED_WITH_SEND = 'cancelled';

/** The messages of a shipment from `from` to `to`, both included. */
interface SpanOfShipment {
  readonly accountId: number;
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** The messages `m` of a span that are not delivered and that no other channel was asked to replace. */
const undelivered = (sql: Queryable, { accountId, id, from, to }: SpanOfShipment) => sql`
  FROM messages m
  WHERE m.account_id = ${accountId} AND m.id >= ${from} AND m.id <= ${to} AND m.shipment_id = ${id}
    AND m.status <> ${status.delivered} AND m.read_at IS NULL
    AND NOT EXISTS (
      SELECT FROM fallback_messages f
      WHERE f.account_id = ${accountId} AND f.id >= ${from} AND f.id <= ${to} AND f.id = m.id)`;

/** Messages that may still be delivered in time. */
export interface OpenMessages {
  /** The first of them; null for none. */
  readonly first_id: number | null;
  /** First submission among them, in milliseconds since the epoch; null if none was submitted. */
  readonly submitted_at: number | null;
}

/** Returns the messages that wait, or that were submitted after `limit` and have no outcome. */
export async function openMessages(sql: Sql, span: SpanOfShipment, limit: number): Promise<OpenMessages> {
  const [row] = await sql<OpenMessages[]>`
    SELECT min(m.id) AS first_id, min(m.handed_at) AS submitted_at ${undelivered(sql, span)}
      AND m.final_at IS NULL AND (m.handed_at IS NULL OR m.handed_at > ${limit})`;
  return row!;
}

/** A message that has failed, or was not delivered in time. */
export interface LateMessage extends Replaced {
  readonly channel: number;
  readonly status: number;
  readonly code: string | null;
  readonly handed_at: number | null;
  readonly final_at: number | null;
}

/** Returns the messages that have failed, or were submitted up to `limit` and have no outcome, at most `most`. */
export function lateMessages(
  sql: Sql,
  span: SpanOfShipment,
  limit: number,
  most: number,
): PromiseLike<LateMessage[]> {
  return sql<LateMessage[]>`
    SELECT m.id, m.recipient AS phone, m.external_id AS "externalId", m.channel, m.status, m.code, m.handed_at, m.final_at
    ${undelivered(sql, span)} AND (m.final_at IS NOT NULL OR m.handed_at <= ${limit})
    ORDER BY m.id LIMIT ${most}`;
}

/** Stores that another channel replaces messages; `shipmentId` is null for recipients whom it refused. */
export async function storeReplaced(
  tx: TransactionSql,
  accountId: number,
  id: number,
  messages: readonly Replaced[],
  shipmentId: number | null,
): Promise<void> {
  await tx`
    INSERT INTO fallback_messages (account_id, id, fallback_of, shipment_id)
    SELECT w.account_id, u.id, ${id}::bigint, ${shipmentId}::bigint
    FROM wallets w, unnest(${bigints(messages.map((message) => message.id))}::bigint[]) AS u (id)
    WHERE w.account_id = ${accountId}`;
}
