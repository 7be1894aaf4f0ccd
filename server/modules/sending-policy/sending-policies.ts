import { numbers } from '../../database/arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { TableCache } from '../../database/table-cache.ts';
import type { Context } from '../../kit/context.ts';
import { noPolicy, type SendingPolicy } from './policy.ts';

/** Milliseconds until a change by another process takes effect. */
const MAX_AGE_MS = 1_000;

/** A policy in memory. The object stays the same until the policy changes. */
export interface KnownPolicy {
  readonly policy: SendingPolicy;
  readonly updatedAt: number;
  readonly closedDates: ReadonlySet<string>;
}

/** The policies of accounts with settings. */
export class SendingPolicies {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;
  readonly #cache: TableCache<ReadonlyMap<number, KnownPolicy>>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
    this.#cache = new TableCache({
      owner: 'sending policies',
      maxAgeMs: MAX_AGE_MS,
      read: () => this.#read(),
    });
  }

  /**
   * Reads the policies again unless the last read is recent. Senders wait for it before they call `known`.
   */
  async refresh(): Promise<void> {
    await this.#cache.fresh();
  }

  /** Returns the policy of an account from memory; undefined for an account without settings. */
  known(accountId: number): KnownPolicy | undefined {
    return this.#cache.known?.get(accountId);
  }

  /** Returns the policy of an account; one that restricts nothing for an account without settings. */
  async find(accountId: number): Promise<SendingPolicy> {
    return readPolicy(this.#deps.sql, accountId);
  }

  /** Updates the given fields. */
  async change(
    accountId: number,
    change: { readonly [K in keyof SendingPolicy]?: SendingPolicy[K] | undefined },
  ): Promise<{ before: SendingPolicy; after: SendingPolicy }> {
    const { sql, clock } = this.#deps;
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const both = await sql.begin(async (tx) => {
      await tx`
        INSERT INTO sending_policies (account_id, policy, updated_at)
        VALUES (${accountId}, ${tx.json(noPolicy as never)}, 0)
        ON CONFLICT ON CONSTRAINT sending_policies_pkey DO NOTHING`;
      const [row] = await tx<{ updated_at: number }[]>`
        SELECT updated_at FROM sending_policies WHERE account_id = ${accountId} FOR UPDATE`;
      const before = await readPolicy(tx, accountId);
      const after: SendingPolicy = { ...before, ...given };
      // Always increases, because processes detect changes by it.
      const at = Math.max(clock.now(), row!.updated_at + 1);
      await tx`
        UPDATE sending_policies SET policy = ${tx.json(after as never)}, updated_at = ${at}
        WHERE account_id = ${accountId}`;
      return { before, after };
    });
    await this.#cache.reload();
    return both;
  }

  /** Reads only changed policies: one with 400 closed dates has 20 kB. */
  async #read(): Promise<ReadonlyMap<number, KnownPolicy>> {
    const { sql } = this.#deps;
    const stamps = await sql<{ account_id: number; updated_at: number }[]>`
      SELECT account_id, updated_at FROM sending_policies`;
    const policies = new Map<number, KnownPolicy>();
    const changed: number[] = [];
    for (const { account_id, updated_at } of stamps) {
      const known = this.known(account_id);
      if (known?.updatedAt === updated_at) policies.set(account_id, known);
      else changed.push(account_id);
    }
    if (changed.length === 0) return policies;
    const rows = await sql<{ account_id: number; policy: SendingPolicy; updated_at: number }[]>`
      SELECT account_id, policy, updated_at FROM sending_policies
      WHERE account_id = ANY(${numbers(changed)}::bigint[])`;
    for (const { account_id, policy, updated_at } of rows) {
      policies.set(account_id, knownOf(policy, updated_at));
    }
    return policies;
  }
}

function knownOf(stored: SendingPolicy, updatedAt: number): KnownPolicy {
  const policy = { ...noPolicy, ...stored };
  return { policy, updatedAt, closedDates: new Set(policy.closed_dates.map(({ date }) => date)) };
}

async function readPolicy(sql: Queryable, accountId: number): Promise<SendingPolicy> {
  const [row] = await sql<{ policy: SendingPolicy }[]>`
    SELECT policy FROM sending_policies WHERE account_id = ${accountId}`;
  return { ...noPolicy, ...row?.policy };
}
