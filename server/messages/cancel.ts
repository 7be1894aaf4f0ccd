import { parseAmount } from '../accounts/money.ts';
import { moveWallet } from '../accounts/wallets.ts';
import type { Clock } from '../clock.ts';
import type { Queryable, Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import type { IdSource } from '../ids.ts';
import { CANCELLED, status } from '../statuses.ts';
import { dropListSends, type Remaining, remainingOf } from './list-sends.ts';

/** What shipments of another channel have still to make messages of. */
export interface Unmade {
  /** `channel` of its shipments. */
  readonly channel: number;
  /** What it is of a shipment; null when there is nothing. */
  remaining(sql: Queryable, accountId: number, shipmentId: number): Promise<Remaining | null>;
  /** Gives it up, under the lock of the shipment, which is cancelled. */
  drop(tx: TransactionSql, accountId: number, shipmentId: number, now: number): Promise<void>;
  /**
   * Undoes what those of a shipment's messages did beside costing something that were cancelled in this transaction,
   * at `at`, since they were never sent.
   */
  takeBack(
    tx: TransactionSql,
    accountId: number,
    cancelled: {
      readonly shipmentId: number;
      readonly firstId: number;
      readonly lastId: number;
      readonly at: number;
    },
  ): Promise<void>;
}

export interface CancelParts {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly unmade: readonly Unmade[];
  /** Tells the dispatchers to drop what they have in memory of a shipment. */
  readonly announce: (cancelled: { accountId: number; shipmentId: number }) => void;
}

/** What a cancelled shipment came to. */
export interface CancelResult {
  readonly shipmentId: number;
  /** Messages that will not be sent, and whose price went back; contacts of lists that have none yet among them. */
  readonly cancelled: number;
  /** Messages that were handed to a carrier before. */
  readonly handedOver: number;
}

interface ShipmentRow {
  id: number;
  state: number;
  first_id: number;
  last_id: number;
  message_count: number;
  channel: number;
}

const STATE_CANCELLED = 2;

/** Takes back what was not handed to a carrier yet of a shipment. */
export class Canceller {
  readonly #parts: CancelParts;

  constructor(parts: CancelParts) {
    this.#parts = parts;
  }

  /**
   * Cancels one shipment. Throws Refusal `unknown-campaign`, `already-cancelled`, `already-sent` when every message was
   * handed over, or `not-cancelled` when all have failed before that. With `dryRun` nothing is changed.
   */
  async byId(accountId: number, shipmentId: number, dryRun = false): Promise<CancelResult> {
    const { sql, announce } = this.#parts;
    const result = await sql.begin(async (tx) => {
      const [shipment] = await tx<ShipmentRow[]>`
        SELECT id, state, first_id, last_id, message_count, channel FROM shipments
        WHERE account_id = ${accountId} AND id = ${shipmentId} FOR UPDATE`;
      if (!shipment) throw new Refusal('unknown-campaign', 'campaign_id is of no campaign of this account');
      if (shipment.state === STATE_CANCELLED)
        throw new Refusal('already-cancelled', 'the campaign was cancelled already');
      if (dryRun) return this.#count(tx, accountId, shipment);
      return this.#cancel(tx, accountId, shipment);
    });
    if (result.cancelled === 0 && result.handedOver === 0)
      throw new Refusal('not-cancelled', 'nothing of the campaign was sent, and nothing is left to cancel');
    if (result.cancelled === 0) throw new Refusal('already-sent', 'the campaign was sent already');
    if (!dryRun) announce({ accountId, shipmentId });
    return result;
  }

  /** Cancels every shipment of this name that can still be. Throws Refusal `unknown-campaign` when none has the name. */
  async byName(accountId: number, name: string, dryRun = false): Promise<CancelResult[]> {
    const shipments = await this.#parts.sql<{ id: number; state: number }[]>`
      SELECT id, state FROM shipments WHERE account_id = ${accountId} AND campaign_name = ${name} ORDER BY id`;
    if (shipments.length === 0)
      throw new Refusal('unknown-campaign', 'campaign_name is of no campaign of this account');
    const results: CancelResult[] = [];
    const refusals: Refusal[] = [];
    for (const { id } of shipments.filter(({ state }) => state !== STATE_CANCELLED)) {
      try {
        results.push(await this.byId(accountId, id, dryRun));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.push(error);
      }
    }
    if (results.length > 0) return results;
    // One that was sent says more than one of which nothing was.
    throw (
      refusals.find(({ code }) => code === 'already-sent') ??
      refusals[0] ??
      new Refusal('already-cancelled', 'the campaign was cancelled already')
    );
  }

  async #count(tx: TransactionSql, accountId: number, shipment: ShipmentRow): Promise<CancelResult> {
    const [row] = await tx<{ waiting: number }[]>`
      SELECT count(*)::int AS waiting FROM messages
      WHERE account_id = ${accountId} AND id >= ${shipment.first_id} AND id <= ${shipment.last_id}
        AND shipment_id = ${shipment.id} AND final_at IS NULL AND handed_at IS NULL`;
    const remaining = await this.#remaining(tx, accountId, shipment);
    return this.#result(tx, accountId, shipment, row!.waiting + (remaining?.contacts ?? 0));
  }

  async #remaining(tx: TransactionSql, accountId: number, shipment: ShipmentRow): Promise<Remaining | null> {
    const unmade = this.#unmadeOf(shipment);
    return unmade ? unmade.remaining(tx, accountId, shipment.id) : remainingOf(tx, accountId, shipment.id);
  }

  #unmadeOf({ channel }: ShipmentRow): Unmade | undefined {
    return this.#parts.unmade.find((unmade) => unmade.channel === channel);
  }

  async #cancel(tx: TransactionSql, accountId: number, shipment: ShipmentRow): Promise<CancelResult> {
    const { ids, clock } = this.#parts;
    const now = clock.now();
    const unmade = this.#unmadeOf(shipment);
    const remaining = await this.#remaining(tx, accountId, shipment);
    const [gone] = await tx<{ count: number; price: string }[]>`
      WITH gone AS (
        UPDATE messages SET status = ${status.deleted}, final_at = ${now}, code = ${CANCELLED}, secret_text = NULL
        WHERE account_id = ${accountId} AND id >= ${shipment.first_id} AND id <= ${shipment.last_id}
          AND shipment_id = ${shipment.id} AND final_at IS NULL AND handed_at IS NULL
        RETURNING price
      )
      SELECT count(*)::int AS count, coalesce(sum(price), 0)::text AS price FROM gone`;
    const { count, price } = gone!;
    if (count === 0 && !remaining) return this.#result(tx, accountId, shipment, 0);
    await dropListSends(tx, accountId, shipment.id);
    if (unmade) {
      const { id: shipmentId, first_id: firstId, last_id: lastId } = shipment;
      await unmade.drop(tx, accountId, shipmentId, now);
      await unmade.takeBack(tx, accountId, { shipmentId, firstId, lastId, at: now });
    }
    await tx`UPDATE shipments SET state = ${STATE_CANCELLED}, paused_at = NULL WHERE account_id = ${accountId} AND id = ${shipment.id}`;
    await tx`DELETE FROM dispatch_batches WHERE account_id = ${accountId} AND held_shipment_id = ${shipment.id} AND lease_until < ${now}`;
    const amount = parseAmount(price);
    const back = { shipmentId: shipment.id, note: 'cancelled' };
    const entries = [
      { ...back, kind: shipment.state === 0 ? ('release' as const) : ('refund' as const), amount },
      { ...back, kind: 'release' as const, amount: remaining?.held ?? 0 },
    ].filter((entry) => entry.amount > 0);
    if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
    return this.#result(tx, accountId, shipment, count + (remaining?.contacts ?? 0));
  }

  async #result(
    tx: TransactionSql,
    accountId: number,
    shipment: ShipmentRow,
    cancelled: number,
  ): Promise<CancelResult> {
    const [row] = await tx<{ handed: number }[]>`
      SELECT count(*)::int AS handed FROM messages
      WHERE account_id = ${accountId} AND id >= ${shipment.first_id} AND id <= ${shipment.last_id}
        AND shipment_id = ${shipment.id} AND handed_at IS NOT NULL`;
    return { shipmentId: shipment.id, cancelled, handedOver: row!.handed };
  }
}
