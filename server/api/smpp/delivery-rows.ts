import { bigints } from '../../database/binary-arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree, isHeldBy, newClaim, released, taken } from '../../database/leases.ts';
import type { Clock } from '../../kit/clock.ts';
import type { StoredDelivery } from './receipt-pdu.ts';
import type { DeliveryStore } from './sent-deliveries.ts';

/** Milliseconds of the lease of a claimed delivery; longer than a client may take to answer. */
const LEASE_MS = 60_000;
/** Pauses after an attempt that the client refused, in milliseconds; the last one is repeated. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000];

/** Returns the milliseconds until a delivery is sent again that the client has refused in this attempt, counted from 1. */
export const pauseAfter = (attempt: number): number => PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1]!;

/** A delivery that this process sends to a receiver. */
export interface ClaimedDelivery {
  readonly id: number;
  /** Undefined when it cannot be decrypted. */
  readonly content: StoredDelivery | undefined;
  readonly attempts: number;
  /** The claim, for the fence. */
  readonly owner: string;
}

interface DeliveryRowsDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Identifies this run of the process in leases. */
  readonly boot: string;
}

/** The table of deliveries: each is sent by the process that has claimed it, and deleted when it is acknowledged. */
export class DeliveryRows implements DeliveryStore<ClaimedDelivery> {
  readonly #deps: DeliveryRowsDeps;

  constructor(deps: DeliveryRowsDeps) {
    this.#deps = deps;
  }

  /** Claims the oldest due deliveries of a client. */
  async claim(accountId: number, clientId: number, limit: number): Promise<ClaimedDelivery[]> {
    const { sql, clock, boot } = this.#deps;
    const owner = newClaim(boot);
    const leaseNow = leaseClock.now();
    const rows = await sql<{ id: number; content: string; attempts: number }[]>`
      WITH due AS (
        SELECT id FROM smpp_deliveries
        WHERE account_id = ${accountId} AND client_id = ${clientId} AND due_at <= ${clock.now()} AND ${isFree(sql, leaseNow)}
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      UPDATE smpp_deliveries d SET ${taken(sql, owner, leaseNow + LEASE_MS)}, attempts = d.attempts + 1
      FROM due WHERE d.account_id = ${accountId} AND d.id = due.id
      RETURNING d.id, d.content, d.attempts`;
    return rows
      .toSorted((a, b) => a.id - b.id)
      .map(({ content, ...row }) => ({
        ...row,
        owner,
        content: content === '' ? undefined : (JSON.parse(content) as StoredDelivery),
      }));
  }

  /** Deletes deliveries of one account that were acknowledged, unless another process has claimed them since. */
  async delete(accountId: number, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const { sql } = this.#deps;
    for (const [owner, mine] of Map.groupBy(deliveries, (delivery) => delivery.owner)) {
      await sql`
        DELETE FROM smpp_deliveries
        WHERE account_id = ${accountId} AND id = ANY(${bigints(mine.map(({ id }) => id))}::bigint[])
          AND ${isHeldBy(sql, { owner })}`;
    }
  }

  /** Releases deliveries that were not sent, or not answered because the bind ended: any receiver gets them now. */
  async release(accountId: number, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const { sql } = this.#deps;
    for (const [owner, mine] of Map.groupBy(deliveries, (delivery) => delivery.owner)) {
      await sql`
        UPDATE smpp_deliveries SET ${released(sql)}
        WHERE account_id = ${accountId} AND id = ANY(${bigints(mine.map(({ id }) => id))}::bigint[])
          AND ${isHeldBy(sql, { owner })}`;
    }
  }

  /** Releases a delivery that the client refused; it is tried again after a pause that grows. */
  async postpone(accountId: number, { id, attempts, owner }: ClaimedDelivery): Promise<void> {
    const { sql, clock } = this.#deps;
    const dueAt = clock.now() + pauseAfter(attempts);
    await sql`
      UPDATE smpp_deliveries SET ${released(sql)}, due_at = ${dueAt}
      WHERE account_id = ${accountId} AND id = ${id} AND ${isHeldBy(sql, { owner })}`;
  }
}
