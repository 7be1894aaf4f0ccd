import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Sql } from '../../database/connection.ts';
import { parseAmount } from '../../modules/accounts/money.ts';
import type { SendingRule } from '../../modules/sending-policy/policy.ts';
import { callTypes } from './calls.ts';
import type { CountedShipment } from './shipment-progress.ts';
import { shipmentStates } from './shipment-states.ts';
import type { StateColumns } from './states.ts';

/** A listed send. Times are milliseconds since the epoch. */
export interface ShipmentRow extends CountedShipment {
  readonly channel: number;
  readonly lane: number;
  /** One of `shipmentStates`. */
  readonly state: number;
  readonly campaign_name: string | null;
  readonly payload: string | null;
  readonly text_removed: boolean | null;
  readonly cost: string;
  readonly valid_until: number;
  /** The shipment whose messages it replaces (engine/fallback). */
  readonly fallback_of: number | null;
  /** Sender of the first message; null without messages. */
  readonly source: string | null;
  readonly sending_rule: SendingRule | null;
  /** Start of the pause. */
  readonly paused_at: number | null;
  /** Contacts without a message (also those of a cancelled shipment), and the credit reserved for them. */
  readonly unmade: number;
  readonly held: string;
  /** Refund, and the part of it that was included in `cost`. */
  readonly refunded: string;
  readonly refunded_cost: string;
}

interface ShipmentQuery {
  /** Only sends to many recipients or with a name; false includes single messages. */
  readonly sendsOnly: boolean;
  readonly channel?: number | undefined;
  readonly name?: string | undefined;
  /** Only names that contain this text, among the newest SEARCHED; '' matches all. */
  readonly search?: string | undefined;
}

/**
 * Parts of names have no index: of an account that names each of a million single messages, at most this many are
 * searched.
 */
const SEARCHED = 10_000;

/** Returns the shipments of an account, newest first, with ids below `before`, at most `limit`. */
export async function listShipments(
  sql: Sql,
  accountId: number,
  { sendsOnly, channel, name, search = '' }: ShipmentQuery,
  before: number,
  limit: number,
): Promise<ShipmentRow[]> {
  // The planner uses the partial index shipments_sends only with its exact condition.
  const searched = sql`
    SELECT * FROM shipments s
    WHERE account_id = ${accountId} AND id < ${before} AND (lane = 2 OR campaign_name IS NOT NULL)
    ORDER BY id DESC LIMIT ${SEARCHED}`;
  return sql<ShipmentRow[]>`
    WITH s AS (
      SELECT * FROM ${search === '' ? sql`shipments` : sql`(${searched})`} s
      WHERE account_id = ${accountId} AND id < ${before}
        AND ${sendsOnly ? sql`(lane = 2 OR campaign_name IS NOT NULL)` : sql`true`}
        AND ${channel === undefined ? sql`true` : ofChannel(sql, channel)}
        AND ${name === undefined ? sql`true` : sql`campaign_name = ${name}`}
        AND ${search === '' ? sql`true` : sql`strpos(lower(campaign_name), lower(${search})) > 0`}
      ORDER BY id DESC LIMIT ${limit}
    )
    SELECT ${columns(sql, accountId)} ORDER BY s.id DESC`;
}

/** Returns one shipment of an account. */
export async function findShipment(
  sql: Sql,
  accountId: number,
  id: number,
): Promise<ShipmentRow | undefined> {
  const [row] = await sql<ShipmentRow[]>`
    WITH s AS (SELECT * FROM shipments WHERE account_id = ${accountId} AND id = ${id})
    SELECT ${columns(sql, accountId)}`;
  return row;
}

// A send by SMS and calls belongs to the channel SMS; one with calls only has the channel of its messages.
const callsOnly = (sql: Sql) =>
  sql`(s.call ->> 'type' IS NOT DISTINCT FROM ${String(callTypes.callOnly)}::text)`;
const channelOf = (sql: Sql) =>
  sql`CASE WHEN ${callsOnly(sql)} THEN ${CALL_CHANNEL}::smallint ELSE s.channel END`;

/** The channel voice includes every send with calls. */
function ofChannel(sql: Sql, channel: number) {
  if (channel === CALL_CHANNEL) return sql`s.call IS NOT NULL`;
  return channel === TEXT_CHANNEL
    ? sql`(s.channel = ${channel} AND NOT ${callsOnly(sql)})`
    : sql`s.channel = ${channel}`;
}

// Columns of the shipments `s` of an account, at most a page. In the ledger, the initial charge or reservation of a
// shipment has no note; corrections have one (index ledger_shipment_corrections). Credit reserved for contacts is not
// included in `cost`.
const columns = (
  sql: Sql,
  accountId: number,
) => sql`s.id, ${channelOf(sql)} AS channel, s.lane, s.state, s.campaign_name, s.payload, s.text_removed, s.message_count, s.cost,
  s.first_id, s.last_id, s.due_at, s.valid_until, s.paused_at, s.sending_rule, s.fallback_of,
  coalesce((SELECT m.source FROM messages m WHERE m.account_id = ${accountId} AND m.id = s.first_id), c.sender) AS source,
  coalesce(c.remaining, 0) AS unmade, coalesce(c.held, 0) AS held, back.refunded, back.refunded_cost
  FROM s LEFT JOIN campaigns c ON c.account_id = ${accountId} AND c.id = s.id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(l.amount), 0) AS refunded,
      coalesce(sum(l.amount) FILTER (WHERE c.id IS NULL OR l.kind <> 'release'), 0) AS refunded_cost
    FROM ledger l WHERE l.account_id = ${accountId} AND l.shipment_id = s.id AND l.note <> ''
  ) back`;

/**
 * Returns the cost of a shipment, including reservations for recipients without a message, in ten-thousandths of a
 * credit.
 */
export const costOf = ({ cost, held }: ShipmentRow): number => parseAmount(cost) + parseAmount(held);

/** Returns the net cost: `costOf` minus its refunds. */
export const netCostOf = (row: ShipmentRow): number => costOf(row) - parseAmount(row.refunded_cost);

/** Returns the state of a shipment: `finished` when every recipient has a message and none waits. */
export function shipmentState(
  { state, paused_at, unmade }: ShipmentRow,
  waiting: number | undefined,
): 'scheduled' | 'running' | 'paused' | 'cancelled' | 'finished' {
  if (state === shipmentStates.cancelled) return 'cancelled';
  if (paused_at !== null) return 'paused';
  if (state === shipmentStates.scheduled) return 'scheduled';
  return unmade === 0 && waiting === 0 ? 'finished' : 'running';
}

/** A message in the export of a shipment's messages. */
export interface ShipmentMessage extends StateColumns {
  readonly id: number;
  readonly recipient: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly parts: number;
  readonly price: string;
  readonly channel: number;
}

const PAGE = 2_000;

/** Yields all messages of a shipment by id, page by page, so that memory use is bounded. */
export async function* messagesOfShipment(
  sql: Sql,
  accountId: number,
  { id, first_id, last_id }: CountedShipment,
): AsyncGenerator<ShipmentMessage[]> {
  for (let after = first_id - 1; ; ) {
    const rows = await sql<ShipmentMessage[]>`
      SELECT id, recipient, source, external_id, parts, price, channel, status, code, handed_at, final_at, read_at
      FROM messages
      WHERE account_id = ${accountId} AND id > ${after} AND id <= ${last_id} AND shipment_id = ${id}
      ORDER BY id LIMIT ${PAGE}`;
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
