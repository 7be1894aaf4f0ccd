import { numbers } from '../../database/arrays.ts';
import type { DueRows } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree, released } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { addSteps, BY_WORK, removeSteps } from '../campaigns/steps.ts';
import type { Canceller } from '../messages/cancel.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import { RESTING_MS, restingSql } from '../messages/resting.ts';
import { ALL_WORK, beginWait, endWait } from '../messages/waits.ts';

/** Shipments that one step cancels, at most: about a second. */
const CANCELLED_A_STEP = 1_000;
/**
 * Milliseconds that an account is watched after its suspension was lifted. A process that had its batches in memory may put them
 * to rest as late as that: leases end after 30 seconds.
 */
const WATCHED_MS = 60_000;
const allLanes: readonly Lane[] = Object.values(lanes);

export interface HeldWorkDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly accounts: Pick<Accounts, 'list'>;
  readonly canceller: Pick<Canceller, 'byIds'>;
  /** Tell dispatchers about a suspended account and about resumed work. These are hints: a lost one only delays. */
  readonly announceSuspended: (accountId: number) => void;
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
}

interface HoldRow {
  readonly account_id: number;
  readonly held_at: number;
  readonly resumed_at: number | null;
  readonly cancel_at: number | null;
  readonly cancelled_at: number | null;
}

/** Held work of an account. Times are milliseconds since the epoch. */
export interface Held {
  /** Null if nothing is held. */
  readonly since: number | null;
  readonly messages: number;
  readonly campaigns: number;
  /** Start of the cancellation that is running (null: none), and end of the last one. */
  readonly cancellingSince: number | null;
  readonly cancelledAt: number | null;
}

/**
 * Puts the waiting work of suspended accounts to rest (engine/messages/resting.ts), and resumes or cancels it. The gate already keeps
 * work of such accounts from being submitted; resting keeps it from being looked for. Every step can be repeated, by any process.
 */
export class HeldWork {
  readonly #deps: HeldWorkDeps;

  constructor(deps: HeldWorkDeps) {
    this.#deps = deps;
  }

  /** Suspended accounts, and accounts whose work rests or is being resumed: `run` has nothing to do without any. */
  due(): DueRows[] {
    const { sql } = this.#deps;
    return [sql`FROM accounts WHERE suspended OR suspended_by_parent`, sql`FROM account_holds`];
  }

  /** Puts work to rest, resumes and cancels it. Run every second, in as many processes as there are. */
  async run(): Promise<void> {
    const { sql, accounts, clock } = this.#deps;
    const now = clock.now();
    const suspended = (await accounts.list()).filter((account) => account.suspended).map(({ id }) => id);
    await this.#hold(suspended, now);
    const holds = await sql<HoldRow[]>`SELECT * FROM account_holds`;
    const [held, resumed] = [
      holds.filter(({ resumed_at }) => resumed_at === null),
      holds.filter(({ resumed_at }) => resumed_at !== null),
    ];
    await this.#rest(held.map(({ account_id }) => account_id));
    for (const { account_id, cancel_at } of held) if (cancel_at !== null) await this.#cancelSome(account_id);
    for (const { account_id, resumed_at } of resumed) await this.#resume(account_id, resumed_at!, now);
  }

  /** Stores which accounts are held from `now` on, and which no longer, with the waits of their work. */
  async #hold(suspended: readonly number[], now: number): Promise<void> {
    const { sql, ids } = this.#deps;
    const accounts = numbers(suspended);
    await sql.begin(async (tx) => {
      const held = await tx<{ account_id: number }[]>`
        INSERT INTO account_holds AS h (account_id, held_at) SELECT id, ${now} FROM unnest(${accounts}::bigint[]) AS u (id)
        ON CONFLICT ON CONSTRAINT account_holds_pkey DO UPDATE SET resumed_at = NULL, held_at = excluded.held_at
        WHERE h.resumed_at IS NOT NULL RETURNING account_id`;
      const resumed = await tx<{ account_id: number }[]>`
        UPDATE account_holds SET resumed_at = ${now}, cancel_at = NULL
        WHERE resumed_at IS NULL AND account_id <> ALL(${accounts}::bigint[]) RETURNING account_id`;
      for (const { account_id: accountId } of held)
        await beginWait(tx, {
          accountId,
          id: ids.next(),
          subjectId: ALL_WORK,
          reason: 'suspended',
          from: now,
        });
      for (const { account_id } of resumed) await endWait(tx, account_id, ALL_WORK, 'suspended', now);
    });
  }

  /** Resting work of an account. */
  async of(accountId: number): Promise<Held> {
    const { sql } = this.#deps;
    const [hold] = await sql<HoldRow[]>`SELECT * FROM account_holds WHERE account_id = ${accountId}`;
    const [[batches], [campaigns]] = await Promise.all([
      sql<{ count: number }[]>`
        SELECT coalesce(sum(count), 0)::int AS count FROM dispatch_batches
        WHERE account_id = ${accountId} AND lane = ANY(${numbers(allLanes)}::smallint[]) AND ${restingSql(sql, 'due_at')}`,
      sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM campaigns WHERE account_id = ${accountId} AND ${restingSql(sql, 'next_at')}`,
    ]);
    return {
      since: hold && hold.resumed_at === null ? hold.held_at : null,
      messages: batches!.count,
      campaigns: campaigns!.count,
      cancellingSince: hold?.cancel_at ?? null,
      cancelledAt: hold?.cancelled_at ?? null,
    };
  }

  /**
   * Starts to cancel and refund all waiting work of a suspended account: scheduled, running and paused campaigns, and single
   * messages. It runs in steps, also after restarts, until nothing waits. Throws Refusal `not-now` if the account is not
   * suspended.
   */
  async cancelAll(accountId: number): Promise<void> {
    await this.run();
    const { count } = await this.#deps.sql`
      UPDATE account_holds SET cancel_at = ${this.#deps.clock.now()}, cancelled_at = NULL
      WHERE account_id = ${accountId} AND resumed_at IS NULL`;
    if (count === 0)
      throw new Refusal('not-now', 'the account is not suspended', undefined, { reason: 'not-suspended' });
  }

  async #rest(accountIds: readonly number[]): Promise<void> {
    if (accountIds.length === 0) return;
    const { sql, announceSuspended } = this.#deps;
    const ids = numbers(accountIds);
    const rested = await sql<{ account_id: number }[]>`
      UPDATE dispatch_batches SET due_at = due_at + ${RESTING_MS}
      WHERE lane = ANY(${numbers(allLanes)}::smallint[]) AND account_id = ANY(${ids}::bigint[]) AND due_at < ${RESTING_MS}
      RETURNING account_id`;
    const active = await sql<{ account_id: number }[]>`
      SELECT DISTINCT account_id FROM campaigns WHERE account_id = ANY(${ids}::bigint[]) AND next_at < ${RESTING_MS}`;
    for (const { account_id } of active) await this.#restCampaigns(account_id);
    for (const id of new Set(rested.map(({ account_id }) => account_id))) announceSuspended(id);
  }

  async #restCampaigns(accountId: number): Promise<void> {
    await this.#deps.sql.begin(async (tx) => {
      const campaigns = await tx<{ id: number }[]>`
        UPDATE campaigns SET next_at = next_at + ${RESTING_MS}, ${released(tx)}
        WHERE account_id = ${accountId} AND next_at < ${RESTING_MS} RETURNING id`;
      await removeSteps(
        tx,
        accountId,
        campaigns.map(({ id }) => id),
      );
    });
  }

  async #resume(accountId: number, resumedAt: number, now: number): Promise<void> {
    const { sql, notifyDispatcher } = this.#deps;
    const batches = await sql`
      UPDATE dispatch_batches SET due_at = due_at - ${RESTING_MS}
      WHERE lane = ANY(${numbers(allLanes)}::smallint[]) AND account_id = ${accountId} AND ${restingSql(sql, 'due_at')}`;
    const campaigns = await sql.begin(async (tx) => {
      const rows = await tx<{ id: number; dueAt: number }[]>`
        UPDATE campaigns SET next_at = next_at - ${RESTING_MS}, lease_until = ${BY_WORK}
        WHERE account_id = ${accountId} AND ${restingSql(tx, 'next_at')} RETURNING id, next_at AS "dueAt"`;
      await addSteps(tx, accountId, rows, now);
      return rows;
    });
    if (batches.count > 0) for (const lane of allLanes) notifyDispatcher(accountId, lane);
    if (batches.count + campaigns.length > 0 || now - resumedAt < WATCHED_MS) return;
    await sql`DELETE FROM account_holds WHERE account_id = ${accountId} AND resumed_at = ${resumedAt}`;
  }

  /** Cancels some shipments of an account. The cancellation ends when nothing waits. */
  async #cancelSome(accountId: number): Promise<void> {
    const { sql, clock, canceller } = this.#deps;
    const campaigns = await sql<{ id: number; message_count: number }[]>`
      SELECT s.id, s.message_count FROM campaigns c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id
      WHERE c.account_id = ${accountId} AND s.account_id = ${accountId} AND c.next_at IS NOT NULL LIMIT ${CANCELLED_A_STEP}`;
    const waiting = await sql<{ id: number; message_count: number }[]>`
      SELECT s.id, s.message_count FROM shipments s WHERE s.account_id = ${accountId} AND s.id IN (
        SELECT m.shipment_id FROM dispatch_batches b JOIN messages m
          ON m.account_id = b.account_id AND m.id >= b.first_id AND m.id <= b.last_id
        WHERE b.account_id = ${accountId} AND m.account_id = ${accountId} AND m.final_at IS NULL AND m.handed_at IS NULL
          AND m.shipment_id > 0
        GROUP BY m.shipment_id LIMIT ${CANCELLED_A_STEP})`;
    const shipments = new Map([...campaigns, ...waiting].map((shipment) => [shipment.id, shipment]));
    if (shipments.size > 0) {
      await canceller.byIds(accountId, [...shipments.values()]);
      return;
    }
    // Batches are shared by shipments: those without a message that waits are left over.
    await sql`
      DELETE FROM dispatch_batches b WHERE b.account_id = ${accountId} AND ${restingSql(sql, 'due_at')}
        AND ${isFree(sql, leaseClock.now())} AND NOT EXISTS (
          SELECT 1 FROM messages m WHERE m.account_id = ${accountId} AND m.account_id = b.account_id
            AND m.id >= b.first_id AND m.id <= b.last_id AND m.final_at IS NULL AND m.handed_at IS NULL)`;
    await sql`
      UPDATE account_holds SET cancel_at = NULL, cancelled_at = ${clock.now()}
      WHERE account_id = ${accountId} AND cancel_at IS NOT NULL`;
  }
}
