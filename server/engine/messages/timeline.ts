import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { type Visitor, visitors } from '../links/visitors.ts';
import { batchesWith } from './retry-now.ts';
import type { FoundMessage } from './search.ts';
import { readWaits, type WaitOfMessage } from './wait-timeline.ts';

/** Links get their ids when their shipment is accepted; the bound skips later partitions. */
const LINKS_WITHIN_MS = 86_400_000;

/** Position of a message in the queue. Times are milliseconds since the epoch. */
interface Waiting {
  readonly lane: number;
  /** '' is the default route. */
  readonly route: string;
  /** Earliest submission: in the future for a message that is scheduled, paused, or to be retried. */
  readonly dueAt: number;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Whether a dispatcher has it in memory. */
  readonly leased: boolean;
  /**
   * Whether its batch is held until `dueAt` although it is due: the carrier may have accepted messages of it whose
   * answers were lost (engine/dispatch/broken-leases.ts, engine/dispatch/copy-pauses.ts).
   */
  readonly rests: boolean;
}

interface ClickOfMessage {
  readonly key: string | null;
  readonly url: string | null;
  readonly visitor: Visitor;
  readonly at: number;
}

/** All known events of one message. */
export interface MessageTimeline {
  readonly message: FoundMessage;
  readonly shipment: {
    readonly campaign_name: string | null;
    readonly payload: string | null;
    readonly text_removed: boolean | null;
    readonly lane: number;
    readonly due_at: number;
    readonly valid_until: number;
    /** The shipment whose messages it replaces (engine/fallback). */
    readonly fallback_of: number | null;
  } | null;
  /** Null when it no longer waits. */
  readonly waiting: Waiting | null;
  /** Times in which it waited, in order. */
  readonly waits: readonly WaitOfMessage[];
  /** The carrier's ids; `part` is 0 for the whole message. */
  readonly carrierIds: readonly { readonly part: number; readonly carrier_id: string }[];
  readonly clicks: readonly ClickOfMessage[];
}

/**
 * Returns the timeline of a message, or undefined if the account has no message with this id. `now` is in milliseconds since the
 * epoch.
 */
export async function timelineOf(
  sql: Sql,
  accountId: number,
  id: number,
  now: number,
): Promise<MessageTimeline | undefined> {
  const [message] = await sql<(FoundMessage & { batch_id: number })[]>`
    SELECT id, shipment_id, batch_id, channel, recipient, source, payload, external_id, parts, price, status, code,
      link AS connector, handed_at, final_at, read_at, text_removed
    FROM messages WHERE account_id = ${accountId} AND id = ${id}`;
  if (!message) return undefined;
  const isWaiting = message.handed_at === null && message.final_at === null;
  const [[shipment], waiting, carrierIds, clicks] = await Promise.all([
    sql<NonNullable<MessageTimeline['shipment']>[]>`
      SELECT campaign_name, payload, text_removed, lane, due_at, valid_until, fallback_of FROM shipments
      WHERE account_id = ${accountId} AND id = ${message.shipment_id}`,
    isWaiting ? findWaiting(sql, accountId, message) : null,
    message.handed_at === null ? [] : findCarrierIds(sql, accountId, id),
    findClicks(sql, accountId, message),
  ]);
  const waits = await readWaits(sql, accountId, message, shipment?.due_at ?? null, now);
  return { message, shipment: shipment ?? null, waiting, waits, carrierIds, clicks };
}

async function findWaiting(
  sql: Sql,
  accountId: number,
  message: { id: number; batch_id: number },
): Promise<Waiting | null> {
  const [batch] = await sql<
    { lane: number; route: string; due_at: number; attempt: number; lease_until: number; is_owned: boolean }[]
  >`
    SELECT lane, route, due_at, attempt, lease_until, lease_owner IS NOT NULL AS is_owned FROM dispatch_batches
    WHERE account_id = ${accountId} AND ${batchesWith(sql, message)}
    ORDER BY id DESC LIMIT 1`;
  if (!batch) return null;
  const { lane, route, due_at, attempt: attempts, lease_until, is_owned } = batch;
  const isTaken = lease_until >= leaseClock.now();
  // A resting batch stores the end of its rest instead of a lease, and no owner.
  const rests = isTaken && !is_owned;
  const dueAt = rests ? Math.max(due_at, lease_until) : due_at;
  return { lane, route, dueAt, attempts, leased: isTaken && is_owned, rests };
}

async function findCarrierIds(
  sql: Sql,
  accountId: number,
  id: number,
): Promise<MessageTimeline['carrierIds']> {
  return sql<{ part: number; carrier_id: string }[]>`
    SELECT part, carrier_id FROM carrier_messages WHERE message_id = ${id} AND account_id = ${accountId}
    ORDER BY part`;
}

async function findClicks(
  sql: Sql,
  accountId: number,
  { id, shipment_id }: FoundMessage,
): Promise<ClickOfMessage[]> {
  const rows = await sql<{ id: number; visitor: number; key: string | null; url: string | null }[]>`
    SELECT c.id, c.visitor, l.key, l.url FROM clicks c
    LEFT JOIN short_links l ON l.account_id = ${accountId} AND l.id = c.link_id
      AND l.id < ${idFloor(timeOfId(shipment_id) + LINKS_WITHIN_MS)}
    WHERE c.account_id = ${accountId} AND c.shipment_id = ${shipment_id} AND c.message_id = ${id}
      AND c.id > ${shipment_id}
    ORDER BY c.id LIMIT 100`;
  return rows.map(({ id: clickId, visitor, key, url }) => ({
    key,
    url,
    visitor: names.get(visitor)!,
    at: timeOfId(clickId),
  }));
}

const names = new Map<number, Visitor>(
  Object.entries(visitors).map(([name, number]) => [number, name as Visitor]),
);
