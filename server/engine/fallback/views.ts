import type { Sql } from '../../database/connection.ts';
import { timeOfId } from '../../kit/ids.ts';

/* Fallbacks as people see them: of a shipment, and of a message. */

/** The fallback of a shipment. */
export interface ShownFallback {
  /** Id of the other channel. */
  readonly channel: number;
  readonly afterMs: number;
  readonly state: 'open' | 'ended';
  /** Why it waits, or why it ended before all messages were decided; null without such a reason. */
  readonly reason: string | null;
  /** Messages that were sent by the other channel. */
  readonly sent: number;
}

/** Returns the fallback of a shipment; null without one. */
export async function fallbackOf(
  sql: Sql,
  accountId: number,
  { id, first_id, last_id }: { readonly id: number; readonly first_id: number; readonly last_id: number },
): Promise<ShownFallback | null> {
  const [row] = await sql<ShownFallback[]>`
    SELECT f.channel, f.after_ms AS "afterMs", f.state, f.reason, (
        SELECT count(*)::int FROM fallback_messages m
        WHERE m.account_id = ${accountId} AND m.id >= ${first_id} AND m.id <= ${last_id} AND m.fallback_of = ${id}
          AND m.shipment_id IS NOT NULL
      ) AS sent
    FROM fallbacks f WHERE f.account_id = ${accountId} AND f.id = ${id}`;
  return row ?? null;
}

/** The message by another channel that replaces one, or that one replaces. */
export interface OtherMessage {
  /** Id of its channel. */
  readonly channel: number;
  readonly shipmentId: number;
  /** Null while it does not exist: the other channel has not created it yet, or refused the recipient. */
  readonly messageId: number | null;
  /** When it was accepted, in milliseconds since the epoch. */
  readonly at: number;
}

interface OfShipment {
  readonly id: number;
  readonly recipient: string;
}

/** Returns the message that another channel sent in place of this one; null for none. */
export async function replacementOf(
  sql: Sql,
  accountId: number,
  { id, recipient }: OfShipment,
): Promise<OtherMessage | null> {
  const [row] = await sql<{ channel: number; shipmentId: number }[]>`
    SELECT f.channel, m.shipment_id AS "shipmentId"
    FROM fallback_messages m JOIN fallbacks f ON f.account_id = ${accountId} AND f.id = m.fallback_of
    WHERE m.account_id = ${accountId} AND m.id = ${id} AND m.shipment_id IS NOT NULL`;
  if (!row) return null;
  const found = await messageTo(sql, accountId, row.shipmentId, recipient);
  return { ...row, messageId: found?.id ?? null, at: timeOfId(row.shipmentId) };
}

/** Returns the message of the shipment `shipmentId` that one to this recipient replaces; null if it was removed. */
export async function replacedBy(
  sql: Sql,
  accountId: number,
  shipmentId: number,
  recipient: string,
): Promise<OtherMessage | null> {
  const found = await messageTo(sql, accountId, shipmentId, recipient);
  return found ? { channel: found.channel, shipmentId, messageId: found.id, at: timeOfId(found.id) } : null;
}

async function messageTo(sql: Sql, accountId: number, shipmentId: number, recipient: string) {
  const [row] = await sql<{ id: number; channel: number }[]>`
    SELECT id, channel FROM messages
    WHERE account_id = ${accountId} AND recipient = ${recipient} AND id > ${shipmentId} AND shipment_id = ${shipmentId}
    ORDER BY id LIMIT 1`;
  return row;
}
