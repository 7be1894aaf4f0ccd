import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import { released } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Reason } from '../../kit/reasons.ts';
import { type Author, currentAuthor } from '../../kit/request-context.ts';
import { authorsOf, isBy, type Stopped } from '../../modules/authors/authors.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { shipmentStates } from '../messages/shipment-states.ts';
import { beginWait, cutWaits, endWait } from '../messages/waits.ts';
import { type LockedShipment, lockShipment } from './lock.ts';
import type { CampaignSources } from './source.ts';
import { addSteps, BY_WORK, removeSteps } from './steps.ts';

export interface CampaignControlDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly sources: CampaignSources;
  /** Notify the dispatchers about a shipment. They are hints: nothing depends on them. */
  readonly announcePaused: (shipment: { accountId: number; shipmentId: number }) => void;
  readonly announceResumed: (shipment: { accountId: number; shipmentId: number }) => void;
  /** Called after the commit for an account with due work. A hint. */
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

/**
 * Pauses and resumes sends to many recipients. The batches of such a shipment belong to it alone (`held_shipment_id`),
 * and are due at `PAUSED_AT` while it is paused. Its campaign then has no next step. Pausing, cancelling and each step
 * of an expander are serialized by the lock of the shipment.
 */
export class CampaignControl {
  readonly #deps: CampaignControlDeps;

  constructor(deps: CampaignControlDeps) {
    this.#deps = deps;
  }

  /**
   * Pauses a shipment: no more messages are created, and waiting ones are not submitted. Its credit stays charged or
   * reserved. Does nothing for a paused shipment. Throws Refusal `unknown-campaign`, or `not-now` for a single message
   * and for a finished shipment.
   */
  async pause(accountId: number, id: number): Promise<void> {
    const paused = await this.#deps.sql.begin((tx) => this.#pauseIn(tx, accountId, id));
    if (paused) this.announce([{ accountId, id }]);
  }

  async #pauseIn(tx: TransactionSql, accountId: number, id: number): Promise<boolean> {
    const shipment = await lock(tx, accountId, id);
    if (shipment.paused_at !== null) return false;
    const { ids, clock } = this.#deps;
    const now = clock.now();
    await tx`UPDATE shipments SET paused_at = ${now} WHERE account_id = ${accountId} AND id = ${id}`;
    await beginWait(tx, { accountId, id: ids.next(), subjectId: id, reason: 'paused', from: now });
    const batches = await tx`
      UPDATE dispatch_batches SET due_at = ${PAUSED_AT}
      WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id} RETURNING id`;
    // The lock stops a process of the version before that has the lease, so the lease can end immediately.
    const campaigns = await tx`
      UPDATE campaigns SET next_at = ${PAUSED_AT}, ${released(tx)}
      WHERE account_id = ${accountId} AND id = ${id} AND next_at IS NOT NULL RETURNING id`;
    await removeSteps(tx, accountId, [id]);
    if (batches.length + campaigns.length === 0)
      throw new Refusal('not-now', 'nothing of the campaign waits', undefined, { reason: 'nothing-waits' });
    return true;
  }

  /**
   * Resumes a paused shipment, with its full validity from now; a scheduled one starts at its time. Does nothing for a
   * shipment that is not paused. The caller becomes the author of the campaign. Throws the Refusals of `pause`.
   */
  async resume(accountId: number, id: number): Promise<void> {
    const { sql, clock, sources, announceResumed, notifyDispatcher } = this.#deps;
    const { tokenId, personId } = currentAuthor();
    const now = clock.now();
    const resumed = await sql.begin(async (tx) => {
      const shipment = await lock(tx, accountId, id);
      if (shipment.paused_at === null) return false;
      const dueAt = dueAgain(shipment, now);
      const validUntil = dueAt + sources.get(shipment.channel)!.validityMs;
      await tx`
        UPDATE shipments SET paused_at = NULL, valid_until = greatest(valid_until, ${validUntil}::bigint)
        WHERE account_id = ${accountId} AND id = ${id}`;
      await endWait(tx, accountId, id, 'paused', now);
      await tx`
        UPDATE dispatch_batches SET due_at = ${dueAt}
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
          AND due_at = ${PAUSED_AT}`;
      await tx`
        UPDATE campaigns SET author_token_id = ${tokenId}, author_person_id = ${personId}
        WHERE account_id = ${accountId} AND id = ${id}`;
      const steps = await tx<{ id: number; dueAt: number }[]>`
        UPDATE campaigns SET next_at = ${dueAt}, lease_until = ${BY_WORK}
        WHERE account_id = ${accountId} AND id = ${id} AND next_at = ${PAUSED_AT} RETURNING id, next_at AS "dueAt"`;
      await addSteps(tx, accountId, steps, now);
      return true;
    });
    if (!resumed) return;
    announceResumed({ accountId, shipmentId: id });
    notifyDispatcher(accountId, lanes.bulk);
  }

  /** Returns the authors of the unfinished campaigns that are not paused, for `AuthoredWork`. */
  authors(): Promise<Author[]> {
    const { sql } = this.#deps;
    return authorsOf(sql, openCampaigns(sql));
  }

  /** Pauses the campaigns of these authors. */
  async stop(tx: TransactionSql, authors: readonly Author[]): Promise<Stopped[]> {
    const stopped: Stopped[] = [];
    const rows = await tx<Stopped[]>`
      SELECT account_id AS "accountId", id ${openCampaigns(tx)} AND ${isBy(tx, authors)}
      ORDER BY account_id, id`;
    for (const one of rows) {
      try {
        if (await tx.savepoint((inner) => this.#pauseIn(inner, one.accountId, one.id))) stopped.push(one);
      } catch (error) {
        // Its last batch has just ended.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    return stopped;
  }

  /** Tells the dispatchers and listeners of paused campaigns. */
  announce(paused: readonly Stopped[]): void {
    for (const { accountId, id } of paused) this.#deps.announcePaused({ accountId, shipmentId: id });
  }

  /**
   * Reschedules a scheduled shipment (milliseconds since the epoch; a past time means now), with the same validity. A
   * paused one does not start before it is resumed. Throws Refusal `unknown-campaign`, or `not-now` for a shipment that
   * has started or finished.
   */
  async reschedule(accountId: number, id: number, at: number): Promise<void> {
    const { sql, clock, notifyDispatcher } = this.#deps;
    const now = clock.now();
    const dueAt = Math.max(now, at);
    const lane = await sql.begin(async (tx) => {
      const shipment = await lockShipment(tx, accountId, id);
      if (!shipment) throw new Refusal('unknown-campaign', 'no such campaign');
      const { state, due_at: before, paused_at } = shipment;
      // A dispatcher is about to start a shipment that is due.
      if (state !== shipmentStates.scheduled || (paused_at === null && before <= now)) {
        throw new Refusal('not-now', 'the campaign has begun', undefined, { reason: 'campaign-begun' });
      }
      await tx`
        UPDATE shipments SET due_at = ${dueAt}, valid_until = valid_until + ${dueAt - before}::bigint
        WHERE account_id = ${accountId} AND id = ${id}`;
      const batches = await tx<{ id: number }[]>`
        UPDATE dispatch_batches SET due_at = ${dueAt}
        WHERE account_id = ${accountId} AND lane = ${shipment.lane} AND held_shipment_id = ${id}
          AND due_at <> ${PAUSED_AT} RETURNING id`;
      await cutWaits(tx, accountId, [id, ...batches.map((batch) => batch.id)], now);
      // A step that comes too early waits until `next_at`.
      const steps = await tx<{ id: number; dueAt: number }[]>`
        UPDATE campaigns SET next_at = ${dueAt}, lease_until = ${BY_WORK}
        WHERE account_id = ${accountId} AND id = ${id} AND next_at <> ${PAUSED_AT} RETURNING id, next_at AS "dueAt"`;
      await addSteps(tx, accountId, steps, now);
      return shipment.lane as Lane;
    });
    notifyDispatcher(accountId, lane);
  }

  /** Selects the batches of shipments that can be paused; `align` has no work without any. */
  mayBeLate(): DueRows {
    return this.#deps.sql`FROM dispatch_batches WHERE lane = ${lanes.bulk} AND held_shipment_id IS NOT NULL`;
  }

  /**
   * Corrects batches that a dispatcher stored just when their shipment was paused, resumed or cancelled. Runs every
   * second, in any number of processes.
   */
  async align(): Promise<void> {
    const { sql, clock, notifyDispatcher } = this.#deps;
    const paused = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id FROM shipments WHERE paused_at IS NOT NULL`;
    for (const { account_id: accountId, id } of paused) {
      const late = await sql`
        SELECT id FROM dispatch_batches
        WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND due_at < ${PAUSED_AT} AND held_shipment_id = ${id}
        LIMIT 1`;
      if (late.length === 0) continue;
      await sql.begin(async (tx) => {
        const shipment = await lockShipment(tx, accountId, id);
        if (!shipment || shipment.paused_at === null) return;
        await tx`
          UPDATE dispatch_batches SET due_at = ${PAUSED_AT}
          WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}`;
      });
    }
    // Batches that a dispatcher returned after the cancellation: none of their messages waits. The condition repeats
    // the constant PAUSED_AT of the index.
    await sql`
      DELETE FROM dispatch_batches b USING shipments s
      WHERE b.due_at = 9007199254740991 AND s.account_id = b.account_id AND s.id = b.held_shipment_id
        AND s.lane = ${lanes.bulk} AND s.state = ${shipmentStates.cancelled}`;
    const kept = await sql<{ account_id: number; id: number }[]>`
      SELECT DISTINCT b.account_id, s.id FROM dispatch_batches b
      JOIN shipments s ON s.account_id = b.account_id AND s.id = b.held_shipment_id
      WHERE b.due_at = 9007199254740991 AND s.lane = ${lanes.bulk} AND s.state < ${shipmentStates.cancelled}
        AND s.paused_at IS NULL`;
    for (const { account_id: accountId, id } of kept) {
      await sql.begin(async (tx) => {
        const shipment = await lockShipment(tx, accountId, id);
        if (!shipment || shipment.paused_at !== null) return;
        await tx`
          UPDATE dispatch_batches SET due_at = ${dueAgain(shipment, clock.now())}
          WHERE account_id = ${accountId} AND lane = ${lanes.bulk} AND held_shipment_id = ${id}
            AND due_at = ${PAUSED_AT}`;
      });
      notifyDispatcher(accountId, lanes.bulk);
    }
  }
}

/** Returns the time at which the held work of a shipment is due: the scheduled time, if it is in the future. */
function dueAgain({ state, due_at }: LockedShipment, now: number): number {
  return state === shipmentStates.scheduled ? Math.max(now, due_at) : now;
}

/** Locks a shipment that can be paused until the transaction ends. Throws the Refusals of `pause`. */
async function lock(tx: TransactionSql, accountId: number, id: number): Promise<LockedShipment> {
  const shipment = await lockShipment(tx, accountId, id);
  if (!shipment) throw new Refusal('unknown-campaign', 'no such campaign');
  const refuse = (problem: string, reason: Reason) => new Refusal('not-now', problem, undefined, { reason });
  if (shipment.lane !== lanes.bulk) throw refuse('a single message cannot be paused', 'one-message');
  if (shipment.state === shipmentStates.cancelled)
    throw refuse('the campaign is cancelled', 'campaign-cancelled');
  const finished = await tx`
    SELECT 1 FROM campaigns WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NOT NULL`;
  if (finished.length > 0) throw refuse('the campaign is finished', 'campaign-finished');
  return shipment;
}

/** Selects the unfinished campaigns that are not paused, as `FROM` and `WHERE`. */
const openCampaigns = (sql: Queryable) =>
  sql`FROM campaigns c WHERE finished_at IS NULL AND EXISTS (
    SELECT FROM shipments s WHERE s.account_id = c.account_id AND s.id = c.id AND s.paused_at IS NULL)`;
