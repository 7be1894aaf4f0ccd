import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import type { NumberReader } from '../numbers/numbers.ts';

const CACHE_MS = 2_000;

/** Senders that an account may use: verified numbers and approved names. */
export class Sources {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #numbers: NumberReader;
  readonly #cache = new Map<number, { sources: Set<string>; at: number }>();

  constructor(sql: Sql, clock: Clock, numbers: NumberReader) {
    this.#sql = sql;
    this.#clock = clock;
    this.#numbers = numbers;
  }

  /** The form in which a sender is kept and compared: digits of a number, or a name in lower case. */
  keyOf(source: string): string {
    return /^\d+$/.test(source) ? (this.#numbers.parse(source)?.digits ?? source) : source.toLowerCase();
  }

  /** Lets an account send from `source`. With `incoming`, messages to the number are the account's from now on. */
  async approve(accountId: number, source: string, options: { incoming?: boolean } = {}): Promise<void> {
    const key = this.keyOf(source);
    const now = this.#clock.now();
    await this.#sql`
      INSERT INTO sources (account_id, source, assigned_at, updated_at) VALUES (${accountId}, ${key}, ${now}, ${now})
      ON CONFLICT ON CONSTRAINT sources_pkey DO UPDATE SET updated_at = excluded.updated_at`;
    if (options.incoming) {
      await this.#sql`
        INSERT INTO inbound_numbers (number, account_id) VALUES (${key}, ${accountId})
        ON CONFLICT (number) DO UPDATE SET account_id = excluded.account_id`;
    }
    this.#cache.delete(accountId);
  }

  /** Whether an account may send from `source`. A removal elsewhere takes effect within two seconds. */
  async isApproved(accountId: number, source: string): Promise<boolean> {
    let known = this.#cache.get(accountId);
    if (!known || performance.now() - known.at > CACHE_MS) {
      const rows = await this.#sql<
        { source: string }[]
      >`SELECT source FROM sources WHERE account_id = ${accountId}`;
      known = { sources: new Set(rows.map((row) => row.source)), at: performance.now() };
      this.#cache.set(accountId, known);
    }
    return known.sources.has(this.keyOf(source));
  }
}
