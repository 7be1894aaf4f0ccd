import { numbers } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree } from '../../database/leases.ts';
import { isDeadlock } from '../../database/trouble.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { CANCELLED, status } from '../../kit/statuses.ts';
import { parseAmount } from '../../modules/accounts/money.ts';
import { type LedgerEntry, moveWallet } from '../../modules/accounts/wallets.ts';
import {
  CANCELLED_TOGETHER,
  groupsOf,
  hasName,
  type NamedShipment,
  READ_TOGETHER,
  shipmentsOfName,
  someSent,
} from './named-shipments.ts';
import { shipmentStates } from './shipment-states.ts';

/** Number of a shipment's recipients without a message, and the credit reserved for them in ten-thousandths. */
interface Remaining {
  readonly contacts: number;
  readonly held: number;
}

/** Parts of shipments without messages yet. */
export interface Unrendered {
  /** Returns the remaining parts of these shipments, keyed by id; shipments without any are absent. */
  remaining(
    sql: Queryable,
    accountId: number,
    shipmentIds: readonly number[],
  ): Promise<ReadonlyMap<number, Remaining>>;
  /** Drops the remaining parts. The caller holds the locks of the shipments, which are cancelled. */
  drop(tx: TransactionSql, accountId: number, shipmentIds: readonly number[], now: number): Promise<void>;
  /** Reverses side effects, other than cost, of messages cancelled in this transaction, since they were never sent. */
  reverse(
    tx: TransactionSql,
    accountId: number,
    channel: number,
    cancelled: CancelledMessages,
  ): Promise<void>;
}

/**
 * Messages of these shipments that were cancelled at `at` (milliseconds since the epoch), between the first and the
 * last id.
 */
export interface CancelledMessages {
  readonly shipmentIds: readonly number[];
  readonly firstId: number;
  readonly lastId: number;
  readonly at: number;
}

interface CancelDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly unrendered: Unrendered;
  /** Ends the second messages of a shipment by another channel (engine/fallback); returns whether there were any to come. */
  readonly endFallback: (tx: TransactionSql, accountId: number, shipmentId: number) => Promise<boolean>;
  /** Tells the dispatchers to drop messages of these shipments from memory. */
  readonly announce: (cancelled: CancelledShipments) => void;
}

/** Shipments that were cancelled in one transaction. */
interface CancelledShipments {
  readonly accountId: number;
  readonly shipmentIds: readonly number[];
}

/** Result of cancelling a shipment. */
export interface CancelResult {
  readonly shipmentId: number;
  /** Messages that will not be sent and are refunded, including contacts of lists without a message yet. */
  readonly cancelled: number;
  /** Messages submitted to a carrier before the cancellation. */
  readonly submitted: number;
  /** Refund in ten-thousandths of a credit. */
  readonly refunded: number;
}

/** Cancelled messages of a shipment, and the sum of their prices in the database's format. */
interface CancelledPart {
  readonly shipment_id: number;
  readonly count: number;
  readonly price: string;
}

interface ShipmentRow {
  readonly id: number;
  readonly state: number;
  readonly first_id: number;
  readonly last_id: number;
  readonly message_count: number;
  readonly channel: number;
}

/** Maximum attempts of a transaction that was in a deadlock with the recorder's. */
const ATTEMPTS = 5;

/** Cancels the parts of shipments that were not yet submitted to a carrier. */
export class Canceller {
  readonly #deps: CancelDeps;

  constructor(deps: CancelDeps) {
    this.#deps = deps;
  }

  /**
   * Cancels one shipment, and the second messages that another channel would send. Throws Refusal `unknown-campaign`,
   * `already-cancelled`, `already-sent` when every message was submitted, or `not-cancelled` when all messages failed before
   * submission. With `dryRun` nothing is changed.
   */
  async byId(accountId: number, shipmentId: number, dryRun = false): Promise<CancelResult> {
    return this.#transaction((tx) => this.within(tx, accountId, shipmentId, dryRun));
  }

  /** Does the same in a transaction of the caller, which must begin again after a deadlock. */
  async within(
    tx: TransactionSql,
    accountId: number,
    shipmentId: number,
    dryRun = false,
  ): Promise<CancelResult> {
    const [shipment] = await lockShipments(tx, accountId, [shipmentId]);
    if (!shipment) throw new Refusal('unknown-campaign', 'campaign_id is of no campaign of this account');
    if (shipment.state === shipmentStates.cancelled) throw alreadyCancelled();
    const [result] = await (dryRun
      ? this.#count(tx, accountId, [shipment])
      : this.#cancel(tx, accountId, [shipment]));
    const { cancelled, submitted } = result!;
    const hadFallback = !dryRun && (await this.#deps.endFallback(tx, accountId, shipmentId));
    if (cancelled === 0 && !hadFallback) throw submitted === 0 ? notCancelled() : alreadySent();
    if (!dryRun) tx.afterCommit(() => this.#deps.announce({ accountId, shipmentIds: [shipmentId] }));
    return result!;
  }

  /**
   * Cancels all cancellable shipments of this name, in groups of one transaction each; others are only read. Throws
   * Refusal `unknown-campaign` when no shipment has the name, and the refusals of `byId` when none can be cancelled.
   */
  async byName(accountId: number, name: string, dryRun = false): Promise<CancelResult[]> {
    const { sql, announce } = this.#deps;
    const results: CancelResult[] = [];
    const left: number[] = [];
    for await (const named of shipmentsOfName(sql, accountId, name)) {
      const open = new Set<number>();
      for (const some of groupsOf(named, READ_TOGETHER)) {
        for (const id of await this.#openOnes(accountId, some)) open.add(id);
      }
      left.push(...named.flatMap(({ id }) => (open.has(id) ? [] : [id])));
      for (const group of groupsOf(
        named.filter(({ id }) => open.has(id)),
        CANCELLED_TOGETHER,
      )) {
        const found = await this.#transaction(async (tx) => {
          const locked = await lockShipments(
            tx,
            accountId,
            group.map(({ id }) => id),
          );
          const mine = locked.filter(({ state }) => state !== shipmentStates.cancelled);
          return dryRun ? this.#count(tx, accountId, mine) : this.#cancel(tx, accountId, mine);
        });
        const cancelled = found.filter((result) => result.cancelled > 0);
        results.push(...cancelled);
        left.push(...found.flatMap((result) => (result.cancelled > 0 ? [] : [result.shipmentId])));
        if (dryRun || cancelled.length === 0) continue;
        announce({ accountId, shipmentIds: cancelled.map(({ shipmentId }) => shipmentId) });
      }
    }
    if (results.length > 0) return results;
    // `already-sent` is more informative than `not-cancelled`, so it has priority.
    if (left.length > 0) throw (await someSent(sql, accountId, left)) ? alreadySent() : notCancelled();
    if (await hasName(sql, accountId, name)) throw alreadyCancelled();
    throw new Refusal('unknown-campaign', 'campaign_name is of no campaign of this account');
  }

  /**
   * Cancels the waiting messages of these shipments, in groups of one transaction each. Shipments without waiting
   * messages stay unchanged.
   */
  async byIds(accountId: number, shipments: readonly NamedShipment[]): Promise<CancelResult[]> {
    const results: CancelResult[] = [];
    const ordered = shipments.toSorted((one, other) => one.id - other.id);
    for (const group of groupsOf(ordered, CANCELLED_TOGETHER)) {
      const found = await this.#transaction(async (tx) => {
        const ids = group.map(({ id }) => id);
        const locked = await lockShipments(tx, accountId, ids);
        return this.#cancel(
          tx,
          accountId,
          locked.filter(({ state }) => state !== shipmentStates.cancelled),
        );
      });
      const cancelled = found.filter((result) => result.cancelled > 0);
      results.push(...cancelled);
      if (cancelled.length === 0) continue;
      this.#deps.announce({ accountId, shipmentIds: cancelled.map(({ shipmentId }) => shipmentId) });
    }
    return results;
  }

  /** Returns those of these shipments that have waiting messages, or recipients without a message. */
  async #openOnes(accountId: number, shipments: readonly NamedShipment[]): Promise<Set<number>> {
    const { sql } = this.#deps;
    // The order matters: messages that an expander creates between the two queries are found by the second.
    const remaining = await this.#remaining(sql, accountId, shipments);
    const rows = await sql<{ id: number }[]>`
      SELECT s.id FROM shipments s
      WHERE s.account_id = ${accountId} AND s.id = ANY(${numbers(shipments.map(({ id }) => id))}::bigint[])
        AND EXISTS (
          SELECT 1 FROM messages m
          WHERE m.account_id = ${accountId} AND m.id >= s.first_id AND m.id <= s.last_id AND m.shipment_id = s.id
            AND m.final_at IS NULL AND m.handed_at IS NULL
          OFFSET 0)`;
    return new Set([...remaining.keys(), ...rows.map(({ id }) => id)]);
  }

  async #count(
    tx: TransactionSql,
    accountId: number,
    shipments: readonly ShipmentRow[],
  ): Promise<CancelResult[]> {
    if (shipments.length === 0) return [];
    const rows = await tx<CancelledPart[]>`
      SELECT shipment_id, count(*)::int AS count, coalesce(sum(price), 0)::text AS price FROM messages
      WHERE ${ofShipments(tx, accountId, shipments, waits(tx))} GROUP BY shipment_id`;
    return this.#results(tx, accountId, shipments, {
      waiting: new Map(rows.map((row) => [row.shipment_id, row])),
      remaining: await this.#remaining(tx, accountId, shipments),
    });
  }

  /** Cancels the cancellable parts of shipments that are locked and not cancelled yet. */
  async #cancel(
    tx: TransactionSql,
    accountId: number,
    shipments: readonly ShipmentRow[],
  ): Promise<CancelResult[]> {
    if (shipments.length === 0) return [];
    const { ids, clock } = this.#deps;
    const now = clock.now();
    const remaining = await this.#remaining(tx, accountId, shipments);
    const rows = await tx<CancelledPart[]>`
      WITH gone AS (
        UPDATE messages SET status = ${status.deleted}, final_at = ${now}, code = ${CANCELLED}, secret_text = NULL
        WHERE ${ofShipments(tx, accountId, shipments, waits(tx))}
        RETURNING shipment_id, price
      )
      SELECT shipment_id, count(*)::int AS count, coalesce(sum(price), 0)::text AS price FROM gone GROUP BY shipment_id`;
    const gone = new Map(rows.map((row) => [row.shipment_id, row]));
    const cancelled = shipments.filter(({ id }) => gone.has(id) || remaining.has(id));
    if (cancelled.length > 0) {
      await this.#dropUnmade(tx, accountId, cancelled, now);
      const cancelledIds = numbers(cancelled.map(({ id }) => id));
      await tx`
        UPDATE shipments SET state = ${shipmentStates.cancelled}, paused_at = NULL
        WHERE account_id = ${accountId} AND id = ANY(${cancelledIds}::bigint[])`;
      await tx`
        DELETE FROM dispatch_batches
        WHERE account_id = ${accountId} AND held_shipment_id = ANY(${cancelledIds}::bigint[]) AND ${isFree(tx, leaseClock.now())}`;
      const entries = cancelled.flatMap((shipment) =>
        repayments(shipment, gone.get(shipment.id), remaining.get(shipment.id)),
      );
      if (entries.length > 0) await moveWallet(tx, ids, now, accountId, entries);
    }
    return this.#results(tx, accountId, shipments, { waiting: gone, remaining });
  }

  /** Drops recipients without a message, and reverses the side effects of the cancelled messages. */
  async #dropUnmade(
    tx: TransactionSql,
    accountId: number,
    shipments: readonly ShipmentRow[],
    now: number,
  ): Promise<void> {
    const { unrendered } = this.#deps;
    await unrendered.drop(tx, accountId, idsOf(shipments), now);
    for (const [channel, mine] of Map.groupBy(shipments, (shipment) => shipment.channel)) {
      await unrendered.reverse(tx, accountId, channel, {
        shipmentIds: idsOf(mine),
        ...rangeOf(mine),
        at: now,
      });
    }
  }

  #remaining(
    sql: Queryable,
    accountId: number,
    shipments: readonly { readonly id: number }[],
  ): Promise<ReadonlyMap<number, Remaining>> {
    return this.#deps.unrendered.remaining(sql, accountId, idsOf(shipments));
  }

  async #results(
    tx: TransactionSql,
    accountId: number,
    shipments: readonly ShipmentRow[],
    open: {
      readonly waiting: ReadonlyMap<number, CancelledPart>;
      readonly remaining: ReadonlyMap<number, Remaining>;
    },
  ): Promise<CancelResult[]> {
    const rows = await tx<{ shipment_id: number; handed: number }[]>`
      SELECT shipment_id, count(*)::int AS handed FROM messages
      WHERE ${ofShipments(tx, accountId, shipments, tx`handed_at IS NOT NULL`)} GROUP BY shipment_id`;
    const submitted = new Map(rows.map((row) => [row.shipment_id, row.handed]));
    return shipments.map((shipment) => {
      const { id } = shipment;
      const [waiting, remaining] = [open.waiting.get(id), open.remaining.get(id)];
      return {
        shipmentId: id,
        cancelled: (waiting?.count ?? 0) + (remaining?.contacts ?? 0),
        submitted: submitted.get(id) ?? 0,
        refunded: repayments(shipment, waiting, remaining).reduce((sum, { amount }) => sum + amount, 0),
      };
    });
  }

  async #transaction<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#deps.sql.begin(work)) as T;
      } catch (error) {
        if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
      }
    }
  }
}

const idsOf = (shipments: readonly { readonly id: number }[]) => shipments.map(({ id }) => id);

const alreadyCancelled = () =>
  new Refusal('already-cancelled', 'the campaign was cancelled already', undefined, {
    reason: 'campaign-cancelled',
  });
const alreadySent = () =>
  new Refusal('already-sent', 'the campaign was sent already', undefined, { reason: 'campaign-finished' });
const notCancelled = () =>
  new Refusal('not-cancelled', 'nothing of the campaign was sent, and nothing is left to cancel', undefined, {
    reason: 'nothing-waits',
  });

/** Locks shipments in the order of their ids, so that two cancellations of the same ones cannot deadlock. */
function lockShipments(
  tx: TransactionSql,
  accountId: number,
  shipmentIds: readonly number[],
): Promise<readonly ShipmentRow[]> {
  return tx<ShipmentRow[]>`
    SELECT id, state, first_id, last_id, message_count, channel FROM shipments
    WHERE account_id = ${accountId} AND id = ANY(${numbers(shipmentIds)}::bigint[])
    ORDER BY id FOR UPDATE`;
}

const waits = (sql: Queryable) => sql`final_at IS NULL AND handed_at IS NULL`;

/** Returns the range from the first to the last message of these shipments, which includes messages of others. */
function rangeOf(shipments: readonly ShipmentRow[]): { readonly firstId: number; readonly lastId: number } {
  return {
    firstId: Math.min(...shipments.map(({ first_id }) => first_id)),
    lastId: Math.max(...shipments.map(({ last_id }) => last_id)),
  };
}

/**
 * Returns the condition for messages of these shipments for which `also` holds. For several shipments, ids are looked
 * up by the range of each: with a join, the planner might read everything between the first and the last of them.
 */
function ofShipments(
  sql: Queryable,
  accountId: number,
  shipments: readonly ShipmentRow[],
  also: ReturnType<typeof waits>,
) {
  const { firstId, lastId } = rangeOf(shipments);
  const inRange = sql`account_id = ${accountId} AND id >= ${firstId} AND id <= ${lastId}`;
  if (shipments.length === 1) return sql`${inRange} AND shipment_id = ${shipments[0]!.id} AND ${also}`;
  return sql`${inRange} AND ${also} AND id = ANY(ARRAY(
    SELECT own.id FROM unnest(
      ${numbers(shipments.map(({ id }) => id))}::bigint[],
      ${numbers(shipments.map(({ first_id }) => first_id))}::bigint[],
      ${numbers(shipments.map(({ last_id }) => last_id))}::bigint[]
    ) AS s (id, first_id, last_id)
    CROSS JOIN LATERAL (
      SELECT id FROM messages
      WHERE account_id = ${accountId} AND id >= s.first_id AND id <= s.last_id AND shipment_id = s.id AND ${also}
      OFFSET 0) own))`;
}

/** Returns the refunds of a cancelled shipment. */
function repayments(
  { id: shipmentId, state }: ShipmentRow,
  waiting: CancelledPart | undefined,
  remaining: Remaining | undefined,
): LedgerEntry[] {
  const back = { shipmentId, note: 'cancelled' };
  return [
    {
      ...back,
      kind: state === shipmentStates.scheduled ? ('release' as const) : ('refund' as const),
      amount: parseAmount(waiting?.price ?? '0'),
    },
    { ...back, kind: 'release' as const, amount: remaining?.held ?? 0 },
  ].filter(({ amount }) => amount > 0);
}
