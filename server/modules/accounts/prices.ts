import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import { parseAmount } from './money.ts';

const CACHE_MS = 5_000;
const MAX_ACCOUNTS = 20_000;
/** Account number of prices that apply to all accounts. */
export const EVERYONE = 0;

/** The price of one part to a destination (E.164 digits), in ten-thousandths of a credit. */
export type PriceFinder = (digits: string) => number;

/** Whether a message to a destination is refunded if it ends without a response from its carrier. */
export type UnansweredRefund = (digits: string) => boolean;

/** One row of the price list, without its key. */
interface Terms {
  /** Ten-thousandths of a credit. */
  readonly price: number;
  readonly refundUnanswered: boolean;
}

/** Prices of an account. */
interface AccountPrices {
  readonly priceOf: PriceFinder;
  readonly isRefunded: UnansweredRefund;
}

/**
 * The operator's price list: by account, channel and destination prefix. An account's own rows come before rows for all
 * accounts, then the longest prefix wins. The default price applies where no row matches.
 */
export class Prices {
  readonly #sql: Sql;
  readonly #fallback: ReadonlyMap<string, number>;
  /** By channel, then by account. */
  readonly #known = new Map<string, BatchedLookup<number, AccountPrices>>();

  /** `fallback`: the default price by channel, like `{ sms: '0.25' }`: of a part, of a conversation. */
  constructor(sql: Sql, fallback: Readonly<Record<string, string>>) {
    this.#sql = sql;
    this.#fallback = new Map(
      Object.entries(fallback).map(([channel, price]) => [channel, parseAmount(price)]),
    );
  }

  /** The prices of one account, at most five seconds old. */
  async of(accountId: number, channel: string): Promise<PriceFinder> {
    return (await this.#in(channel).get(accountId))!.priceOf;
  }

  /** Returns the prices of these accounts, at most five seconds old. */
  async ofEach(accountIds: readonly number[], channel: string): Promise<Map<number, PriceFinder>> {
    const known = await this.#in(channel).getAll(accountIds);
    return new Map([...known].map(([accountId, { priceOf }]) => [accountId, priceOf]));
  }

  /**
   * Whether messages of these accounts are refunded if they end without a response from their carrier. The price row
   * that applies to the destination decides; without a row they are not refunded.
   */
  async unansweredRefunds(
    accountIds: readonly number[],
    channel: string,
  ): Promise<Map<number, UnansweredRefund>> {
    const known = await this.#in(channel).getAll(accountIds);
    return new Map([...known].map(([accountId, { isRefunded }]) => [accountId, isRefunded]));
  }

  #in(channel: string): BatchedLookup<number, AccountPrices> {
    let known = this.#known.get(channel);
    if (!known) {
      const cache = { maxAgeMs: CACHE_MS, max: MAX_ACCOUNTS };
      known = new BatchedLookup({ read: (accountIds) => this.#read(accountIds, channel), cache });
      this.#known.set(channel, known);
    }
    return known;
  }

  #forgetAll(): void {
    for (const known of this.#known.values()) known.clear();
  }

  async #read(accountIds: readonly number[], channel: string): Promise<Map<number, AccountPrices>> {
    const rows = await this.#sql<TermsRow[]>`
      SELECT account_id, prefix, price, refund_unanswered FROM prices
      WHERE account_id = ANY(${numbers([EVERYONE, ...accountIds])}::bigint[]) AND channel = ${channel}`;
    const tables = Map.groupBy(rows, ({ account_id }) => account_id);
    const everyone = tableOf(tables.get(EVERYONE) ?? []);
    const fallback = { price: this.#fallback.get(channel) ?? 0, refundUnanswered: false };
    return new Map(
      accountIds.map((accountId) => {
        const own = tableOf(tables.get(accountId) ?? []);
        const termsOf = createFinder([own, everyone], fallback);
        const priceOf = (digits: string) => termsOf(digits).price;
        return [accountId, { priceOf, isRefunded: (digits) => termsOf(digits).refundUnanswered }];
      }),
    );
  }

  /**
   * Sets the price of a part to a prefix ('' is every destination) for an account, or for EVERYONE. `refundUnanswered`:
   * whether messages are refunded that end without a response from their carrier; undefined keeps the value of an
   * existing row. Returns the value that applies.
   */
  async set(
    accountId: number,
    channel: string,
    prefix: string,
    price: string,
    refundUnanswered?: boolean,
  ): Promise<boolean> {
    const refund = refundUnanswered ?? null;
    const [row] = await this.#sql<{ refund_unanswered: boolean }[]>`
      INSERT INTO prices AS p (account_id, channel, prefix, price, refund_unanswered)
      VALUES (${accountId}, ${channel}, ${prefix}, ${price}, coalesce(${refund}::boolean, false))
      ON CONFLICT (account_id, channel, prefix) DO UPDATE
        SET price = excluded.price, refund_unanswered = coalesce(${refund}::boolean, p.refund_unanswered)
      RETURNING refund_unanswered`;
    this.#forgetAll();
    return row!.refund_unanswered;
  }

  /**
   * Rows of the price list in the order of account, channel and prefix, those after `after`, at most `limit`; with
   * `accountId` or `channel` only those.
   */
  async list(filter: {
    readonly accountId?: number | undefined;
    readonly channel?: string | undefined;
    readonly after?: PriceKey | undefined;
    readonly limit: number;
  }): Promise<PriceRow[]> {
    const { accountId, channel, after, limit } = filter;
    const sql = this.#sql;
    const rows = await sql<(Omit<PriceRow, 'price'> & { price: string })[]>`
      SELECT account_id AS "accountId", channel, prefix, price, refund_unanswered AS "refundUnanswered" FROM prices
      WHERE true
        ${after ? sql`AND (account_id, channel, prefix) > (${after.accountId}, ${after.channel}, ${after.prefix})` : sql``}
        ${accountId === undefined ? sql`` : sql`AND account_id = ${accountId}`}
        ${channel === undefined ? sql`` : sql`AND channel = ${channel}`}
      ORDER BY account_id, channel, prefix LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, price: parseAmount(row.price) }));
  }

  /** Removes a row from the price list. Returns false if no such row exists. */
  async remove({ accountId, channel, prefix }: PriceKey): Promise<boolean> {
    const { count } = await this.#sql`
      DELETE FROM prices WHERE account_id = ${accountId} AND channel = ${channel} AND prefix = ${prefix}`;
    this.#forgetAll();
    return count > 0;
  }

  /** Default prices by channel, in ten-thousandths of a credit; they apply where no row matches. */
  get defaults(): ReadonlyMap<string, number> {
    return this.#fallback;
  }
}

/** A row of the price list. */
export interface PriceRow {
  /** EVERYONE, or the account of the row. */
  readonly accountId: number;
  readonly channel: string;
  /** International digits; '' is every destination. */
  readonly prefix: string;
  /** Ten-thousandths of a credit. */
  readonly price: number;
  /** Whether a message is refunded if it ends without a response from its carrier. */
  readonly refundUnanswered: boolean;
}

/** Key of a row of the price list. */
export interface PriceKey {
  readonly accountId: number;
  readonly channel: string;
  readonly prefix: string;
}

interface TermsRow {
  readonly account_id: number;
  readonly prefix: string;
  readonly price: string;
  readonly refund_unanswered: boolean;
}

/** Rows by prefix, with the length of the longest prefix. */
interface PriceTable {
  readonly rows: ReadonlyMap<string, Terms>;
  readonly longest: number;
}

function tableOf(rows: readonly TermsRow[]): PriceTable {
  const byPrefix = new Map(
    rows.map(({ prefix, price, refund_unanswered }) => [
      prefix,
      { price: parseAmount(price), refundUnanswered: refund_unanswered },
    ]),
  );
  return { rows: byPrefix, longest: Math.max(0, ...rows.map(({ prefix }) => prefix.length)) };
}

/** `tables`: in order of precedence, the first match wins. */
function createFinder(tables: readonly PriceTable[], fallback: Terms): (digits: string) => Terms {
  const used = tables.filter(({ rows }) => rows.size > 0);
  if (used.length === 0) return () => fallback;
  return (digits) => {
    for (const { rows, longest } of used) {
      for (let length = longest; length >= 0; length--) {
        const terms = rows.get(digits.slice(0, length));
        if (terms !== undefined) return terms;
      }
    }
    return fallback;
  };
}
