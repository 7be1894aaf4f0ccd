import { numbers } from '../../database/arrays.ts';
import { bigints, textArray } from '../../database/binary-arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree, isHeldBy, isLeased, renewed } from '../../database/leases.ts';

export const bindModes = ['transmitter', 'receiver', 'transceiver'] as const;
export type BindMode = (typeof bindModes)[number];

/** A bind of a client, in any process. */
export interface SmppBind {
  readonly id: number;
  readonly clientId: number;
  readonly mode: BindMode;
  readonly address: string;
  /** Whether it uses TLS. */
  readonly secure: boolean;
  readonly interfaceVersion: number;
  /** Milliseconds since the epoch. */
  readonly boundAt: number;
  /** Messages accepted and refused since then. */
  readonly accepted: number;
  readonly refused: number;
  /** Name of the command_status of the last refusal; '' without one. */
  readonly lastError: string;
}

/** Counts of a bind, to store with the renewal of its lease. */
export interface BindCounts extends Pick<SmppBind, 'accepted' | 'refused' | 'lastError'> {
  readonly accountId: number;
  readonly id: number;
}

/** Milliseconds for which a bind counts without a renewal. */
const LEASE_MS = 20_000;

/** The binds of all processes, which count towards the limit of their client. */
export class SmppBinds {
  readonly #sql: Sql;
  readonly #owner: string;

  /** @param owner this run of the process */
  constructor(sql: Sql, owner: string) {
    this.#sql = sql;
    this.#owner = owner;
  }

  /** Stores a bind. Returns false if the client has as many as it may have. */
  async add(
    accountId: number,
    bind: Omit<SmppBind, 'accepted' | 'refused' | 'lastError'>,
    max: number,
  ): Promise<boolean> {
    const leaseNow = leaseClock.now();
    return this.#sql.begin(async (tx) => {
      // Two binds of one client may arrive at two processes.
      await tx`SELECT FROM wallets WHERE account_id = ${accountId} FOR NO KEY UPDATE`;
      await tx`DELETE FROM smpp_binds WHERE account_id = ${accountId} AND ${isFree(tx, leaseNow)}`;
      const { count } = await tx`
        INSERT INTO smpp_binds (account_id, id, client_id, mode, address, secure, interface_version, bound_at, lease_owner,
          lease_until)
        SELECT w.account_id, ${bind.id}::bigint, ${bind.clientId}::bigint, ${bind.mode}::text, ${bind.address}::text,
          ${bind.secure}::boolean, ${bind.interfaceVersion}::smallint, ${bind.boundAt}::bigint, ${this.#owner}::text,
          ${leaseNow + LEASE_MS}::bigint
        FROM wallets w WHERE w.account_id = ${accountId} AND (
          SELECT count(*) FROM smpp_binds b WHERE b.account_id = ${accountId} AND b.client_id = ${bind.clientId}) < ${max}`;
      return count > 0;
    });
  }

  /** Removes a bind that has ended. */
  async remove(accountId: number, id: number): Promise<void> {
    await this.#sql`
      DELETE FROM smpp_binds WHERE account_id = ${accountId} AND id = ${id} AND ${isHeldBy(this.#sql, { owner: this.#owner })}`;
  }

  /** Removes the binds of a client, in every process: the processes disconnect them within some seconds. */
  async removeAll(accountId: number, clientId: number): Promise<void> {
    await this.#sql`DELETE FROM smpp_binds WHERE account_id = ${accountId} AND client_id = ${clientId}`;
  }

  /** Renews the leases of binds of this process. Returns the ids of those that still exist. */
  async renew(binds: readonly BindCounts[]): Promise<ReadonlySet<number>> {
    const sql = this.#sql;
    const kept = new Set<number>();
    for (const [accountId, mine] of Map.groupBy(binds, (bind) => bind.accountId)) {
      const rows = await sql<{ id: number }[]>`
        UPDATE smpp_binds b SET ${renewed(sql, leaseClock.now() + LEASE_MS)}, accepted = u.accepted, refused = u.refused,
          last_error = u.last_error
        FROM unnest(${bigints(mine.map(({ id }) => id))}::bigint[], ${bigints(mine.map(({ accepted }) => accepted))}::bigint[],
          ${bigints(mine.map(({ refused }) => refused))}::bigint[], ${textArray(mine.map(({ lastError }) => lastError))}::text[]
        ) AS u (id, accepted, refused, last_error)
        WHERE b.account_id = ${accountId} AND b.id = u.id AND ${isHeldBy(sql, { owner: this.#owner })}
        RETURNING b.id`;
      for (const { id } of rows) kept.add(id);
    }
    return kept;
  }

  /** Returns the binds of clients of an account, oldest first. */
  async of(accountId: number, clientIds: readonly number[]): Promise<readonly SmppBind[]> {
    if (clientIds.length === 0) return [];
    const sql = this.#sql;
    return sql<SmppBind[]>`
      SELECT id, client_id AS "clientId", mode, address, secure, interface_version AS "interfaceVersion",
        bound_at AS "boundAt", accepted, refused, last_error AS "lastError"
      FROM smpp_binds
      WHERE account_id = ${accountId} AND client_id = ANY(${numbers(clientIds)}::bigint[])
        AND ${isLeased(sql, leaseClock.now())}
      ORDER BY id`;
  }
}
