import type { Context } from '../context.ts';
import { numbers } from '../database/arrays.ts';
import type { Queryable } from '../database/connection.ts';
import { TableCache } from '../database/table-cache.ts';
import { noPolicy, type SendingPolicy } from './policy.ts';

/** How long a change by another process may stay unseen. */
const MAX_AGE_MS = 1_000;

/** A policy as it was read: the same object until it is changed. */
export interface KnownPolicy {
  readonly policy: SendingPolicy;
  readonly updatedAt: number;
  readonly closedDates: ReadonlySet<string>;
}

/** The policies of the accounts that have set something. */
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

  /** Reads them unless that was done a moment ago; who sends waits for it before `known` is asked. */
  async refresh(): Promise<void> {
    await this.#cache.fresh();
  }

  /** The policy of an account, from memory; undefined for one that has set nothing. */
  known(accountId: number): KnownPolicy | undefined {
    return this.#cache.known?.get(accountId);
  }

  /** The policy of an account; of one that has set nothing one that holds nothing. */
  async find(accountId: number): Promise<SendingPolicy> {
    return readPolicy(this.#deps.sql, accountId);
  }

  /** Changes what is given. */
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
      // Processes compare it: it never stays the same.
      const at = Math.max(clock.now(), row!.updated_at + 1);
      await tx`
        UPDATE sending_policies SET policy = ${tx.json(after as never)}, updated_at = ${at}
        WHERE account_id = ${accountId}`;
      return { before, after };
    });
    await this.#cache.reload();
    return both;
  }

  /** Reads those that were changed: with 400 closed dates one has 20 kB. */
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
