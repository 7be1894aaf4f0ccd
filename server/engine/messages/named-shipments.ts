import { inStatements, numbers, ROWS_A_STATEMENT } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { shipmentStates } from './shipment-states.ts';

/* Shipments with a campaign name: from one to many thousands, most of them sent long ago. */

/** Maximum shipments, and messages of these, per statement or transaction. */
interface GroupLimits {
  readonly shipments: number;
  readonly messages: number;
}

/** For a transaction that cancels: the recorder waits for it with updates of the same messages, about a second. */
export const CANCELLED_TOGETHER: GroupLimits = { shipments: 200, messages: 20_000 };
/** For a statement that searches for waiting messages: it takes some seconds on a slow disk. */
export const READ_TOGETHER: GroupLimits = { shipments: ROWS_A_STATEMENT, messages: 500_000 };

/** The columns of a shipment that are read before it is locked. */
export interface NamedShipment {
  readonly id: number;
  readonly message_count: number;
}

/** Yields the shipments with a name that are not cancelled, by id, a few thousand at a time. */
export async function* shipmentsOfName(
  sql: Sql,
  accountId: number,
  name: string,
): AsyncGenerator<readonly NamedShipment[]> {
  for (let after = 0; ; ) {
    const rows = await sql<NamedShipment[]>`
      SELECT id, message_count FROM shipments
      WHERE account_id = ${accountId} AND campaign_name = ${name} AND id > ${after} AND state <> ${shipmentStates.cancelled}
      ORDER BY id LIMIT ${ROWS_A_STATEMENT}`;
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_A_STATEMENT) return;
    after = rows.at(-1)!.id;
  }
}

/** Groups shipments within the limits. A shipment beyond the limits is a group. */
export function* groupsOf(
  shipments: readonly NamedShipment[],
  limits: GroupLimits,
): Generator<readonly NamedShipment[]> {
  let group: NamedShipment[] = [];
  let messages = 0;
  for (const shipment of shipments) {
    const isFull = group.length === limits.shipments || messages + shipment.message_count > limits.messages;
    if (isFull && group.length > 0) {
      yield group;
      group = [];
      messages = 0;
    }
    group.push(shipment);
    messages += shipment.message_count;
  }
  if (group.length > 0) yield group;
}

/** Whether at least one message of these shipments was submitted to a carrier. */
export async function someSent(
  sql: Sql,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<boolean> {
  for (const some of inStatements(shipmentIds)) {
    const [row] = await sql<{ sent: boolean }[]>`
      SELECT EXISTS (
        SELECT 1 FROM shipments s CROSS JOIN LATERAL (
          SELECT 1 FROM messages m
          WHERE m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id AND m.shipment_id = s.id
            AND m.handed_at IS NOT NULL
          LIMIT 1) handed
        WHERE s.account_id = ${accountId} AND s.id = ANY(${numbers(some)}::bigint[])) AS sent`;
    if (row!.sent) return true;
  }
  return false;
}

/** Whether a shipment of the account has this campaign name. */
export async function hasName(sql: Sql, accountId: number, name: string): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM shipments WHERE account_id = ${accountId} AND campaign_name = ${name} LIMIT 1`;
  return rows.length > 0;
}
