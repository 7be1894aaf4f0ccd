import { texts } from '../database/arrays.ts';
import type { Sql } from '../database/connection.ts';
import { idFloor, timeOfId } from '../ids.ts';

/** A message as a delivery report shows it. */
export interface DeliveryRow {
  readonly id: number;
  readonly externalId: string | null;
  readonly shipmentId: number;
  readonly phone: string;
  readonly status: number;
  /** When it got its status, or was accepted while it has none; milliseconds since the epoch. */
  readonly at: number;
}

export interface IncomingRow {
  readonly source: string;
  readonly destination: string;
  readonly text: string;
  readonly at: number;
}

interface Span {
  /** Milliseconds since the epoch, both included. */
  readonly from: number;
  readonly to: number;
}

const PAGE = 2_000;

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

/** Messages of an account with one of these external ids, accepted in the span. An unknown id has no row. */
export async function deliveriesById(
  sql: Sql,
  accountId: number,
  externalIds: readonly string[],
  { from, to }: Span,
): Promise<DeliveryRow[]> {
  const rows = await sql<MessageRow[]>`
    SELECT id, external_id, shipment_id, phone, status, final_at FROM messages
    WHERE account_id = ${accountId} AND external_id = ANY(${texts(externalIds)}::text[])
      AND id >= ${idFloor(from)} AND id < ${idFloor(to + 1)} AND channel = 0
    ORDER BY id`;
  return rows.map(toDelivery);
}

/** All messages of an account accepted in the span, page by page: as many as there are, in little memory. */
export async function* deliveriesByDate(
  sql: Sql,
  accountId: number,
  { from, to }: Span,
): AsyncGenerator<DeliveryRow[]> {
  const end = idFloor(to + 1);
  for (let after = idFloor(from) - 1; ; ) {
    const rows = await sql<MessageRow[]>`
      SELECT id, external_id, shipment_id, phone, status, final_at FROM messages
      WHERE account_id = ${accountId} AND id > ${after} AND id < ${end} AND channel = 0
      ORDER BY id LIMIT ${PAGE}`;
    if (rows.length > 0) yield rows.map(toDelivery);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/** Messages from phones to an account's numbers that came in the span, page by page. */
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
