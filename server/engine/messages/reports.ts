import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { callTypes } from './calls.ts';

/** A message in a delivery report. */
export interface DeliveryRow {
  readonly id: number;
  readonly externalId: string | null;
  readonly shipmentId: number;
  readonly phone: string;
  readonly status: number;
  /** Time of its status, or of its acceptance without a status; milliseconds since the epoch. */
  readonly at: number;
}

interface IncomingRow {
  readonly source: string;
  readonly destination: string;
  readonly text: string;
  readonly at: number;
}

interface Span {
  /** Milliseconds since the epoch, both inclusive. */
  readonly from: number;
  readonly to: number;
}

const PAGE = 2_000;

/**
 * Selects the messages of delivery reports: every SMS, and every call without an SMS to the same phone, so that a phone
 * of a shipment has one row. Uses a scalar subquery instead of EXISTS: it runs only for calls, and is never planned as
 * a table of all shipments.
 */
const reported = (sql: Sql) => sql`(m.channel = ${TEXT_CHANNEL} OR (m.channel = ${CALL_CHANNEL} AND (
  SELECT s.call ->> 'type' FROM shipments s WHERE s.account_id = m.account_id AND s.id = m.shipment_id
) IS DISTINCT FROM ${String(callTypes.both)}))`;

interface MessageRow {
  id: number;
  external_id: string | null;
  shipment_id: number;
  phone: string;
  status: number;
  final_at: number | null;
}

const toDelivery = (row: MessageRow): DeliveryRow => ({
  id: row.id,
  externalId: row.external_id,
  shipmentId: row.shipment_id,
  phone: row.phone,
  status: row.status,
  at: row.final_at ?? timeOfId(row.id),
});

/**
 * Returns the messages of an account with one of these external ids, accepted in the span. An unknown id has no row.
 */
export async function deliveriesById(
  sql: Sql,
  accountId: number,
  externalIds: readonly string[],
  { from, to }: Span,
): Promise<DeliveryRow[]> {
  const rows = await sql<MessageRow[]>`
    SELECT id, external_id, shipment_id, recipient AS phone, status, final_at FROM messages m
    WHERE account_id = ${accountId} AND external_id = ANY(${texts(externalIds)}::text[])
      AND id >= ${idFloor(from)} AND id < ${idFloor(to + 1)} AND ${reported(sql)}
    ORDER BY id`;
  return rows.map(toDelivery);
}

/** Yields all messages of an account accepted in the span, page by page, so that memory use is bounded. */
export async function* deliveriesByDate(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
): AsyncGenerator<DeliveryRow[]> {
  const end = idFloor(to + 1);
  for (let after = idFloor(from) - 1; ; ) {
    const rows = await sql<MessageRow[]>`
      SELECT id, external_id, shipment_id, recipient AS phone, status, final_at FROM messages m
      WHERE account_id = ${accountId} AND id > ${after} AND id < ${end} AND ${reported(sql)}
      ORDER BY id LIMIT ${PAGE}`;
    if (rows.length > 0) yield rows.map(toDelivery);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/** A call in a report of calls. */
interface CallRow {
  readonly shipmentId: number;
  readonly status: number;
  /** Caller number. */
  readonly source: string;
  readonly phone: string;
  /** Time of its status, or of its acceptance without a status; milliseconds since the epoch. */
  readonly at: number;
}

/** Yields the calls of an account accepted in the span, all or those of one shipment, page by page. */
export async function* callsByDate(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
  shipmentId: number | undefined,
): AsyncGenerator<CallRow[]> {
  const end = idFloor(to + 1);
  const ofShipment = shipmentId === undefined ? sql`` : sql`AND shipment_id = ${shipmentId}`;
  for (let after = Math.max(idFloor(from), shipmentId ?? 0) - 1; ; ) {
    const rows = await sql<(Omit<MessageRow, 'external_id'> & { source: string })[]>`
      SELECT id, shipment_id, status, source, recipient AS phone, final_at FROM messages
      WHERE account_id = ${accountId} AND id > ${after} AND id < ${end} AND channel = ${CALL_CHANNEL} ${ofShipment}
      ORDER BY id LIMIT ${PAGE}`;
    if (rows.length > 0) {
      yield rows.map(({ id, shipment_id, status, source, phone, final_at }) => {
        return { shipmentId: shipment_id, status, source, phone, at: final_at ?? timeOfId(id) };
      });
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/** Yields the messages from phones to an account's numbers that arrived in the span, page by page. */
export async function* incomingByDate(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
): AsyncGenerator<IncomingRow[]> {
  const end = idFloor(to + 1);
  for (let after = idFloor(from) - 1; ; ) {
    const rows = await sql<{ id: number; source: string; destination: string; text: string }[]>`
      SELECT id, source, destination, text FROM incoming
      WHERE account_id = ${accountId} AND id > ${after} AND id < ${end}
      ORDER BY id LIMIT ${PAGE}`;
    if (rows.length > 0) yield rows.map((row) => ({ ...row, at: timeOfId(row.id) }));
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
