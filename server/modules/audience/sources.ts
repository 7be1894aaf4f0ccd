import { numbers } from '../../database/arrays.ts';
import type { Queryable, Sql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import type { Clock } from '../../kit/clock.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';

const CACHE_MS = 2_000;
const MAX_ACCOUNTS = 10_000;

/** A verified or approved number that an account may send from. */
interface VerifiedPhone {
  readonly accountId: number;
  /** E.164 digits. */
  readonly phone: string;
  /** First and last approval, milliseconds since the epoch. */
  readonly assignedAt: number;
  readonly updatedAt: number;
}

/** A sender that an account may use. Times in milliseconds since the epoch. */
interface ApprovedSource {
  /** E.164 digits, or a name in lower case. */
  readonly source: string;
  readonly assignedAt: number;
  readonly updatedAt: number;
  /** Whether incoming messages to it belong to the account. */
  readonly incoming: boolean;
}

/** Senders that an account may use: verified numbers and approved names. */
export class Sources {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #numbers: NumberReader;
  readonly #approved = new BatchedLookup({
    read: (accountIds: readonly number[]) => this.#read(accountIds),
    cache: { maxAgeMs: CACHE_MS, max: MAX_ACCOUNTS },
  });

  constructor(sql: Sql, clock: Clock, numbers: NumberReader) {
    this.#sql = sql;
    this.#clock = clock;
    this.#numbers = numbers;
  }

  /** Returns the form in which a sender is stored and compared: digits of a number, or a name in lower case. */
  keyOf(source: string): string {
    return /^\d+$/.test(source) ? (this.#numbers.parse(source)?.digits ?? source) : source.toLowerCase();
  }

  /**
   * Approves `source` as a sender of an account. With `incoming`, messages to the number belong to the account from now
   * on.
   */
  async approve(accountId: number, source: string, options: { incoming?: boolean } = {}): Promise<void> {
    const key = this.keyOf(source);
    await this.assign(this.#sql, accountId, key);
    if (options.incoming) {
      await this.#sql`
        INSERT INTO inbound_numbers (number, account_id) VALUES (${key}, ${accountId})
        ON CONFLICT (number) DO UPDATE SET account_id = excluded.account_id`;
    }
    this.forget(accountId);
  }

  /**
   * As `approve`, for a sender in the form of `keyOf` and in the caller's transaction. The caller calls `forget` after
   * the commit.
   */
  async assign(tx: Queryable, accountId: number, key: string): Promise<void> {
    const now = this.#clock.now();
    await tx`
      INSERT INTO sources (account_id, source, assigned_at, updated_at) VALUES (${accountId}, ${key}, ${now}, ${now})
      ON CONFLICT ON CONSTRAINT sources_pkey DO UPDATE SET updated_at = excluded.updated_at`;
  }

  /**
   * Returns a function that approves a sender of the account for a new subscriber, in the transaction that creates the
   * subscriber. It does nothing if the account itself may not send from it.
   */
  async handOn(
    accountId: number,
    source: string,
  ): Promise<(tx: Queryable, subscriberId: number) => Promise<void>> {
    if (!(await this.isApproved(accountId, source))) return async () => {};
    return (tx, subscriberId) => this.assign(tx, subscriberId, this.keyOf(source));
  }

  /** Returns the senders that an account may use, names and numbers, in order of approval. */
  async list(accountId: number): Promise<ApprovedSource[]> {
    return this.#sql<ApprovedSource[]>`
      SELECT s.source, s.assigned_at AS "assignedAt", s.updated_at AS "updatedAt", n.number IS NOT NULL AS incoming
      FROM sources s LEFT JOIN inbound_numbers n ON n.number = s.source AND n.account_id = s.account_id
      WHERE s.account_id = ${accountId} ORDER BY s.assigned_at, s.source`;
  }

  /** Drops an account's senders from the cache, so that the next request reads the database. */
  forget(accountId: number): void {
    this.#approved.forget(accountId);
  }

  /** Returns the numbers that an account may send from, with `withSubscribers` also those of its subscribers. */
  async verifiedPhones(accountId: number, withSubscribers: boolean): Promise<VerifiedPhone[]> {
    const subscribers = withSubscribers
      ? await this.#sql<{ id: number }[]>`SELECT id FROM accounts WHERE parent_id = ${accountId}`
      : [];
    const accounts = [accountId, ...subscribers.map(({ id }) => id)];
    return this.#sql<VerifiedPhone[]>`
      SELECT account_id AS "accountId", source AS phone, assigned_at AS "assignedAt", updated_at AS "updatedAt"
      FROM sources WHERE account_id = ANY(${numbers(accounts)}::bigint[]) AND source ~ '^[0-9]+$'
      ORDER BY account_id, assigned_at, source`;
  }

  /** Whether an account may send from `source`. A removal by another process takes effect within two seconds. */
  async isApproved(accountId: number, source: string): Promise<boolean> {
    return (await this.#approved.get(accountId))!.has(this.keyOf(source));
  }

  async #read(accountIds: readonly number[]): Promise<Map<number, ReadonlySet<string>>> {
    // Each account has its own shard.
    const read = accountIds.map(async (accountId): Promise<[number, ReadonlySet<string>]> => {
      const rows = await this.#sql<
        { source: string }[]
      >`SELECT source FROM sources WHERE account_id = ${accountId}`;
      return [accountId, new Set(rows.map(({ source }) => source))];
    });
    return new Map(await Promise.all(read));
  }
}
