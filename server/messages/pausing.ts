import type { Clock } from '../clock.ts';
import type { Sql, TransactionSql } from '../database/connection.ts';
import { Refusal } from '../errors.ts';
import { PAUSED_AT } from './batch-cutter.ts';
import { type Lane, lanes } from './lanes.ts';

export interface PauserParts {
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

interface LockedShipment {
  readonly channel: number;
  readonly state: number;
  readonly lane: number;
  readonly due_at: number;
  readonly paused_at: number | null;
}

const STATE_SCHEDULED = 0;
const STATE_CANCELLED = 2;

/**
 * Makes sends of SMS to many wait where they are, and go on. Their batches are theirs alone (`held_shipment_id`), and
 * are due at `PAUSED_AT` as long as they wait; the expander leaves their lists alone. Pausing, cancelling and each step
 * of the expander take turns by the lock of the shipment.
 */
export class Pauser {
  readonly #parts: PauserParts;

  constructor(parts: PauserParts) {
    this.#parts = parts;
  }

  /**
   * Makes a shipment wait: no more messages are made of its lists, and those that wait are not handed over. Its credit
   * stays charged or held. One that waits already stays so. Throws Refusal `unknown-campaign`, or `not-now` for a single
   * message and for what is over.
   */
  async pause(accountId: number, id: number): Promise<void> {
    const { sql, clock, announcePaused } = this.#parts;
    const paused = await sql.begin(async (tx) => {
      const shipment = await lock(tx, accountId, id);
      if (shipment.paused_at !== null) return false;
      await tx`UPDATE shipments SET paused_at = ${clock.now()} WHERE account_id = ${accountId} AND id = ${id}`;
      const batches = await tx`
        UPDATE dispatch_batches SET due_at = ${PAUSED_AT}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id} RETURNING id`;
      // Whoever has the lease is stopped by the lock: nobody has to wait until it runs out.
      const lists = await tx`
        UPDATE list_sends SET lease_owner = NULL, lease_until = 0,
          due_at = CASE WHEN due_at IS NOT NULL THEN ${PAUSED_AT}::bigint END
        WHERE account_id = ${accountId} AND shipment_id = ${id} RETURNING id`;
      if (batches.length + lists.length === 0) throw new Refusal('not-now', 'nothing of the shipment waits');
      return true;
    });
    if (paused) announcePaused({ accountId, shipmentId: id });
  }

  /**
   * Lets a paused shipment go on, with the whole time of validity from now; one that was to begin later begins then.
   * One that goes on already stays so. Throws as `pause` does.
   */
  async resume(accountId: number, id: number): Promise<void> {
    const { sql, clock, validityMs, announceResumed, wake } = this.#parts;
    const now = clock.now();
    const resumed = await sql.begin(async (tx) => {
      const shipment = await lock(tx, accountId, id);
      if (shipment.paused_at === null) return false;
      const dueAt = dueAgain(shipment, now);
      await tx`
        UPDATE shipments SET paused_at = NULL, valid_until = greatest(valid_until, ${dueAt + validityMs}::bigint)
        WHERE account_id = ${accountId} AND id = ${id}`;
      await tx`
        UPDATE dispatch_batches SET due_at = ${dueAt}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
          AND due_at = ${PAUSED_AT}`;
      await tx`
        UPDATE list_sends SET due_at = ${dueAt}
        WHERE account_id = ${accountId} AND shipment_id = ${id} AND due_at = ${PAUSED_AT}`;
      return true;
    });
    if (!resumed) return;
    announceResumed({ accountId, shipmentId: id });
    wake(accountId, lanes.bulk);
  }

  /**
   * Brings batches in line that a dispatcher stored just when their shipment was paused or went on. Run every second, in
   * as many processes as there are.
   */
  async align(): Promise<void> {
    const { sql, clock, wake } = this.#parts;
    const paused = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM shipments WHERE paused_at IS NOT NULL`;
    for (const { account_id: accountId, id } of paused) {
      const late = await sql`
        SELECT id FROM dispatch_batches
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND due_at < ${PAUSED_AT} AND held_shipment_id = ${id}
        LIMIT 1`;
      if (late.length === 0) continue;
      await sql.begin(async (tx) => {
        const { paused_at } = await lock(tx, accountId, id);
        if (paused_at === null) return;
        await tx`
          UPDATE dispatch_batches SET due_at = ${PAUSED_AT}
          WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}`;
      });
    }
    // Given back by a dispatcher after the shipment was cancelled: none of its messages waits any more. The condition as the
    // index has it: PAUSED_AT.
    await sql`
      DELETE FROM dispatch_batches b USING shipments s
      WHERE b.due_at = 9007199254740991 AND s.account_id = b.account_id AND s.id = b.held_shipment_id
        AND s.channel = 0 AND s.lane = ${lanes.bulk} AND s.state = ${STATE_CANCELLED}`;
    const kept = await sql<{ account_id: number; id: number }[]>`
      SELECT DISTINCT b.account_id, s.id FROM dispatch_batches b
      JOIN shipments s ON s.account_id = b.account_id AND s.id = b.held_shipment_id
      WHERE b.due_at = 9007199254740991 AND s.channel = 0 AND s.lane = ${lanes.bulk} AND s.state < ${STATE_CANCELLED}
        AND s.paused_at IS NULL`;
    for (const { account_id: accountId, id } of kept) {
      await sql.begin(async (tx) => {
        const shipment = await lock(tx, accountId, id);
        if (shipment.paused_at !== null) return;
        await tx`
          UPDATE dispatch_batches SET due_at = ${dueAgain(shipment, clock.now())}
          WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
            AND due_at = ${PAUSED_AT}`;
      });
      wake(accountId, lanes.bulk);
    }
  }
}

/** When what was kept back of a shipment is due: one that was to begin later begins then. */
function dueAgain({ state, due_at }: LockedShipment, now: number): number {
  return state === STATE_SCHEDULED ? Math.max(now, due_at) : now;
}

/** Locks a shipment that can be paused until the transaction ends. Throws as `pause` does. */
async function lock(tx: TransactionSql, accountId: number, id: number): Promise<LockedShipment> {
  const [shipment] = await tx<LockedShipment[]>`
    SELECT channel, state, lane, due_at, paused_at FROM shipments
    WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
  if (!shipment) throw new Refusal('unknown-campaign', 'no such shipment');
  if (shipment.state === STATE_CANCELLED) throw new Refusal('not-now', 'the shipment is cancelled');
  if (shipment.channel !== 0 || shipment.lane !== lanes.bulk)
    throw new Refusal('not-now', 'a single message cannot be paused');
  return shipment;
}
