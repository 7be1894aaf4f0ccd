import type { TransactionSql } from '../../database/connection.ts';

export interface LockedShipment {
  readonly channel: number;
  readonly lane: number;
  /** One of `shipmentStates`. */
  readonly state: number;
  readonly campaign_name: string | null;
  readonly due_at: number;
  readonly paused_at: number | null;
  readonly last_id: number;
}

/**
 * Locks a shipment until the transaction ends, which serializes cancelling, pausing, finishing and the steps of an
 * expander. Undefined when it does not exist.
 */
export async function lockShipment(
  tx: TransactionSql,
  accountId: number,
  id: number,
): Promise<LockedShipment | undefined> {
  const [shipment] = await tx<LockedShipment[]>`
    SELECT channel, lane, state, campaign_name, due_at, paused_at, last_id FROM shipments
    WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
  return shipment;
}
