import { parseAmount } from '../accounts/money.ts';
import type { Clock } from '../clock.ts';
import { numbers } from '../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { PAUSED_AT } from './batch-cutter.ts';
import { type Lane, lanes } from './lanes.ts';
import type { Remaining } from './list-sends.ts';

export type CampaignState = 'scheduled' | 'running' | 'paused' | 'cancelled' | 'finished';

/** Where campaigns of a channel are kept; each row's id is that of its shipment. */
export type CampaignTable = 'chat_campaigns' | 'mail_campaigns';

/**
 * Locks the shipment of a campaign until the transaction ends: cancelling, pausing and each step of the expander take
 * turns by it. Undefined when there is none.
 */
export async function lockShipment(tx: TransactionSql, accountId: number, id: number) {
  const [shipment] = await tx<
    { state: number; campaign_name: string | null; first_id: number; last_id: number }[]
  >`
    SELECT state, campaign_name, first_id, last_id FROM shipments
    WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
  return shipment;
}

/**
 * Recipients of campaigns who have no message yet, and what is held for them, by the campaigns' ids; those that are
 * through are left out.
 */
export async function remainingOfCampaigns(
  sql: Queryable,
  table: CampaignTable,
  accountId: number,
  ids: readonly number[],
): Promise<Map<number, Remaining>> {
  const rows = await sql<{ id: number; left: number; held: string }[]>`
    SELECT c.id, c.total - s.message_count AS left, c.held FROM ${sql(table)} c
    JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id
    WHERE c.account_id = ${accountId} AND c.id = ANY(${numbers(ids)}::bigint[]) AND NOT c.expanded`;
  // Lists may have grown since they were counted: until the last step is done somebody may be left.
  return new Map(
    rows.map(({ id, left, held }) => [id, { contacts: Math.max(1, left), held: parseAmount(held) }]),
  );
}

export interface CampaignControlParts {
  readonly sql: Sql;
  readonly clock: Clock;
  /** How long delivery of a message is tried, in milliseconds. */
  readonly validityMs: number;
  /** Tell the dispatchers about a shipment; hints, nothing rests on them. */
  readonly announcePaused: (shipment: { accountId: number; shipmentId: number }) => void;
  readonly announceResumed: (shipment: { accountId: number; shipmentId: number }) => void;
  /** Called after the commit for an account that has work that is due. A hint. */
  readonly wake: (accountId: number, lane: Lane) => void;
}

/** Lets campaigns of a channel wait and go on. */
export class CampaignControl {
  readonly #parts: CampaignControlParts;
  readonly #table: CampaignTable;

  constructor(parts: CampaignControlParts, table: CampaignTable) {
    this.#parts = parts;
    this.#table = table;
  }

  /**
   * Makes a campaign wait where it is: no more messages are made, and those that wait are not sent. One that waits
   * already stays so. Throws Refusal `unknown-campaign`, or `not-now` for one that is over.
   */
  async pause(accountId: number, id: number): Promise<void> {
    await this.#parts.sql.begin(async (tx) => {
      await this.#change(tx, accountId, id, ['scheduled', 'running'], () => 'paused');
      await tx`
        UPDATE dispatch_batches SET due_at = ${PAUSED_AT}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}`;
    });
    this.#parts.announcePaused({ accountId, shipmentId: id });
  }

  /**
   * Lets a paused campaign go on. One that goes on already stays so. Throws Refusal `unknown-campaign`, or `not-now` for
   * one that is over.
   */
  async resume(accountId: number, id: number): Promise<void> {
    const { sql, clock, validityMs, announceResumed, wake } = this.#parts;
    const now = clock.now();
    await sql.begin(async (tx) => {
      await this.#change(tx, accountId, id, ['paused'], (isBegun) => (isBegun ? 'running' : 'scheduled'));
      // What waited long is to be sent all the same.
      await tx`
        UPDATE shipments SET valid_until = greatest(valid_until, ${now + validityMs}::bigint)
        WHERE account_id = ${accountId} AND id = ${id}`;
      await tx`
        UPDATE dispatch_batches SET due_at = ${now}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND due_at = ${PAUSED_AT}
          AND held_shipment_id = ${id}`;
    });
    announceResumed({ accountId, shipmentId: id });
    wake(accountId, lanes.bulk);
  }

  /** Changes the state under the lock of the shipment, from one of `from`. Throws as `pause` does. */
  async #change(
    tx: TransactionSql,
    accountId: number,
    id: number,
    from: readonly CampaignState[],
    to: (isBegun: boolean) => CampaignState,
  ): Promise<void> {
    const shipment = await lockShipment(tx, accountId, id);
    const [row] = await tx<{ state: CampaignState }[]>`
      SELECT state FROM ${tx(this.#table)} WHERE account_id = ${accountId} AND id = ${id}`;
    if (!shipment || !row) throw new Refusal('unknown-campaign', 'no such campaign');
    if (row.state === 'cancelled' || row.state === 'finished') {
      throw new Refusal('not-now', `the campaign is ${row.state}`);
    }
    if (!from.includes(row.state)) return;
    const state = to(shipment.state !== 0);
    // Whoever has the lease is stopped or late: nobody has to wait until it runs out.
    await tx`
      UPDATE ${tx(this.#table)} SET state = ${state}, lease_until = 0
      WHERE account_id = ${accountId} AND id = ${id}`;
  }
}
