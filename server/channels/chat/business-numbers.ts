import { accountsOf } from '../../database/arrays.ts';
import { type Sql, violatedConstraint } from '../../database/connection.ts';
import { TableCache } from '../../database/table-cache.ts';
import { hurry } from '../../engine/work/work.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import type { ProblemDetail } from '../../kit/reasons.ts';
import type { Standing } from './standings.ts';

/** Kind of background work: to fetch the templates of a portfolio, by its id. */
export const TEMPLATE_SYNC = 'template-sync';

/** Milliseconds until a change by another process takes effect. */
const CACHE_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const PURPOSE = 'chat_portfolios.access_token';

/**
 * Possible messaging limits: clients with whom a portfolio may begin conversations within 24 hours (interface,
 * "Limits").
 */
export const tiers: readonly number[] = [250, 2_000, 10_000, 100_000, 1_000_000];

/** The platform's default rate of a number, and the maximum setting. */
export const MESSAGES_PER_SECOND = 80;
export const MAX_RATE = 1_000;

/** Formats of the platform's ids, and of its tokens, which are written into headers unescaped. */
export const PLATFORM_ID = /^\d{1,30}$/;
export const ACCESS_TOKEN = /^[\x21-\x7e]{1,1000}$/;

/** Replaces a lost access token. */
export const NO_TOKEN = '';

/** A business account on the platform, whose numbers share a messaging limit and templates. */
export interface Portfolio {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly tier: number;
  /** The business account's id on the platform. */
  readonly platformId: string;
  /** NO_TOKEN: the token was lost, and the numbers are paused. */
  readonly accessToken: string;
  /** The platform's latest notices about it and its numbers. */
  readonly standings: readonly Standing[];
}

export type NewPortfolio = Omit<Portfolio, 'id' | 'standings'>;

/** A business number of an account, with data of its portfolio. */
export interface ChatNumber {
  /** E.164 digits. */
  readonly phone: string;
  readonly accountId: number;
  readonly portfolioId: number;
  readonly tier: number;
  readonly name: string;
  /** The number's id on the platform. */
  readonly platformId: string;
  /** Id of the portfolio's business account on the platform. */
  readonly businessAccountId: string;
  readonly accessToken: string;
  readonly messagesPerSecond: number;
}

/** A portfolio or number cannot be created or changed this way; the message says why. */
export class ChatSetupRefused extends Refusal {
  constructor(problem: string, detail: ProblemDetail) {
    super('not-now', problem, undefined, detail);
  }
}

const taken: Readonly<Record<string, string>> = {
  chat_portfolios_platform_key: 'there is a portfolio with this id of the platform already',
  chat_numbers_pkey: 'the number is a business number already',
  chat_numbers_platform_key: 'there is a business number with this id of the platform already',
};

interface Known {
  readonly portfolios: readonly Portfolio[];
  readonly numbers: readonly ChatNumber[];
  readonly portfolioById: ReadonlyMap<number, Portfolio>;
  readonly portfolioByPlatformId: ReadonlyMap<string, Portfolio>;
  readonly byPhone: ReadonlyMap<string, ChatNumber>;
  readonly byPlatformId: ReadonlyMap<string, ChatNumber>;
}

type ChatNumbersDeps = Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'>;

/** Portfolios and business numbers: small tables, kept in memory for a second. */
export class ChatNumbers {
  readonly #deps: ChatNumbersDeps;
  readonly #cache: TableCache<Known>;

  constructor(deps: ChatNumbersDeps) {
    this.#deps = deps;
    this.#cache = new TableCache({ owner: 'business numbers', maxAgeMs: CACHE_MS, read: () => this.#read() });
  }

  /** Returns the business number with these E.164 digits. */
  find(phone: string): Promise<ChatNumber | undefined> {
    return this.#cache.find(({ byPhone }) => byPhone.get(phone));
  }

  /** Returns a business number by its id on the platform. */
  byPlatformId(phoneNumberId: string): Promise<ChatNumber | undefined> {
    return this.#cache.find(({ byPlatformId }) => byPlatformId.get(phoneNumberId));
  }

  portfolio(id: number): Promise<Portfolio | undefined> {
    return this.#cache.find(({ portfolioById }) => portfolioById.get(id));
  }

  /** Returns a portfolio by the business account's id on the platform. */
  portfolioByPlatformId(id: string): Promise<Portfolio | undefined> {
    return this.#cache.find(({ portfolioByPlatformId }) => portfolioByPlatformId.get(id));
  }

  /** Returns all business numbers, ordered by phone. */
  async all(): Promise<ChatNumber[]> {
    return [...(await this.#cache.fresh()).numbers];
  }

  /** Returns all portfolios, oldest first. */
  async allPortfolios(): Promise<Portfolio[]> {
    return [...(await this.#cache.fresh()).portfolios];
  }

  /** Returns the business numbers of an account, ordered by phone. */
  async list(accountId: number): Promise<ChatNumber[]> {
    return (await this.all()).filter((number) => number.accountId === accountId);
  }

  /** Returns the portfolios of an account, oldest first. */
  async portfolios(accountId: number): Promise<Portfolio[]> {
    return (await this.allPortfolios()).filter((portfolio) => portfolio.accountId === accountId);
  }

  /** Returns the used quota of each portfolio: the clients with whom it began conversations in the last 24 hours. */
  async reached(accountId: number): Promise<Map<number, number>> {
    return this.reachedOf(await this.portfolios(accountId));
  }

  /** As `reached`, for the given portfolios of any accounts. */
  async reachedOf(portfolios: readonly Portfolio[]): Promise<Map<number, number>> {
    const before = Math.floor(this.#deps.clock.now() / MINUTE_MS) - DAY_MINUTES;
    const rows = await this.#deps.sql<{ portfolio_id: number; clients: number }[]>`
      SELECT portfolio_id, sum(clients) AS clients FROM chat_reach
      WHERE account_id = ANY(${accountsOf(portfolios)}::bigint[])
        AND portfolio_id = ANY(${portfolios.map(({ id }) => id)}::bigint[])
        AND minute > ${before}
      GROUP BY portfolio_id`;
    return new Map(rows.map((row) => [row.portfolio_id, row.clients]));
  }

  /**
   * Creates a portfolio of an account. `platformId` and `accessToken` are those of the business account on the
   * platform. Throws ChatSetupRefused for an unknown tier, and for an id that exists already.
   */
  async createPortfolio(portfolio: NewPortfolio): Promise<Portfolio> {
    const { accountId, name, tier, platformId, accessToken } = portfolio;
    checkTier(tier);
    const id = this.#deps.ids.next();
    await this.#change(
      (sql) => sql`
        INSERT INTO chat_portfolios (id, account_id, name, tier, platform_id, access_token, created_at)
        VALUES (${id}, ${accountId}, ${name}, ${tier}, ${platformId},
          ${this.#deps.secrets.seal(accessToken, PURPOSE, id)}, ${this.#deps.clock.now()})`,
    );
    return { id, accountId, name, tier, platformId, accessToken, standings: [] };
  }

  /**
   * Adds a business number (E.164 digits) to a portfolio of the same account; its templates are then fetched. Throws
   * ChatSetupRefused for a number or id that exists already, and for a portfolio of another account.
   */
  async addNumber(number: {
    readonly phone: string;
    readonly accountId: number;
    readonly portfolioId: number;
    readonly name: string;
    readonly platformId: string;
    readonly messagesPerSecond: number;
  }): Promise<ChatNumber> {
    const { phone, accountId, portfolioId, name, platformId, messagesPerSecond } = number;
    const portfolio = await this.portfolio(portfolioId);
    if (portfolio?.accountId !== accountId) {
      throw new ChatSetupRefused('there is no such portfolio of the account', { reason: 'unknown' });
    }
    await this.#change((sql) =>
      sql.begin(async (tx) => {
        await tx`
          INSERT INTO chat_numbers (phone, account_id, portfolio_id, name, platform_id, messages_per_second, created_at)
          VALUES (${phone}, ${accountId}, ${portfolioId}, ${name}, ${platformId}, ${messagesPerSecond},
            ${this.#deps.clock.now()})`;
        await hurry(tx, { accountId, kind: TEMPLATE_SYNC, key: portfolioId });
      }),
    );
    return (await this.find(phone))!;
  }

  /** Throws ChatSetupRefused for an unknown tier or portfolio. */
  async setTier(portfolioId: number, tier: number): Promise<void> {
    checkTier(tier);
    const rows = await this.#change(
      (sql) => sql`UPDATE chat_portfolios SET tier = ${tier} WHERE id = ${portfolioId} RETURNING id`,
    );
    checkFound(rows);
  }

  /**
   * Stores the tier that the platform reports for a business account, unless it has reported another one since `at`
   * (milliseconds since the epoch). Unknown accounts and tiers change nothing.
   */
  async applyTier(platformId: string, tier: number, at: number): Promise<void> {
    checkTier(tier);
    await this.#change(
      (sql) => sql`
        UPDATE chat_portfolios SET tier = ${tier}, tier_told_at = ${at}
        WHERE platform_id = ${platformId} AND tier_told_at < ${at}`,
    );
  }

  /** Replaces the token for calls to the platform. Throws ChatSetupRefused for an unknown portfolio. */
  async setAccessToken(portfolioId: number, accessToken: string): Promise<void> {
    const sealed = this.#deps.secrets.seal(accessToken, PURPOSE, portfolioId);
    const rows = await this.#change(
      (sql) => sql`
        UPDATE chat_portfolios SET access_token = ${sealed} WHERE id = ${portfolioId} RETURNING id`,
    );
    checkFound(rows);
  }

  /**
   * Deletes a token that can no longer be decrypted: the numbers of the portfolio are paused until `setAccessToken`.
   * Returns the account; undefined if no such portfolio exists. Other processes notice at their next start.
   */
  async discardAccessToken(portfolioId: number): Promise<number | undefined> {
    const sealed = this.#deps.secrets.seal(NO_TOKEN, PURPOSE, portfolioId);
    const [row] = await this.#deps.sql<{ account_id: number }[]>`
      UPDATE chat_portfolios SET access_token = ${sealed} WHERE id = ${portfolioId} RETURNING account_id`;
    return row?.account_id;
  }

  /** Reads both tables again. */
  reload(): Promise<void> {
    return this.#cache.reload();
  }

  async #read(): Promise<Known> {
    // One statement, so that no number is read without its portfolio.
    const [row] = await this.#deps.sql<{ portfolios: Portfolio[]; numbers: NumberRow[] }[]>`
      SELECT
        (SELECT coalesce(json_agg(json_build_object('id', id, 'accountId', account_id, 'name', name, 'tier', tier,
          'platformId', platform_id, 'accessToken', encode(access_token, 'base64'), 'standings', (
            SELECT coalesce(json_agg(json_build_object('topic', s.topic, 'phone', s.phone, 'word', s.word, 'reason', s.reason,
              'restrictions', s.restrictions, 'toldAt', s.told_at) ORDER BY s.told_at, s.topic, s.phone), '[]')
            FROM chat_standings s WHERE s.portfolio_id = p.id)) ORDER BY id), '[]')
          FROM chat_portfolios p) AS portfolios,
        (SELECT coalesce(json_agg(json_build_object('phone', phone, 'accountId', account_id, 'portfolioId', portfolio_id,
          'name', name, 'platformId', platform_id, 'messagesPerSecond', messages_per_second) ORDER BY phone), '[]')
          FROM chat_numbers) AS numbers`;
    const portfolios = row!.portfolios.map((portfolio) => ({
      ...portfolio,
      accessToken: this.#deps.secrets.openText(
        Buffer.from(portfolio.accessToken, 'base64'),
        PURPOSE,
        portfolio.id,
      ),
    }));
    return know(portfolios, row!.numbers);
  }

  async #change<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await statement(this.#deps.sql).catch((error: unknown) => {
      const words = taken[violatedConstraint(error)];
      throw words === undefined ? error : new ChatSetupRefused(words, { reason: 'taken' });
    });
    await this.reload();
    return result;
  }
}

type NumberRow = Omit<ChatNumber, 'tier' | 'businessAccountId' | 'accessToken'>;

function know(portfolios: readonly Portfolio[], rows: readonly NumberRow[]): Known {
  const portfolioById = new Map(portfolios.map((portfolio) => [portfolio.id, portfolio]));
  const numbers = rows.map((row): ChatNumber => {
    const { tier, platformId: businessAccountId, accessToken } = portfolioById.get(row.portfolioId)!;
    return { ...row, tier, businessAccountId, accessToken };
  });
  return {
    portfolios,
    numbers,
    portfolioById,
    portfolioByPlatformId: new Map(portfolios.map((portfolio) => [portfolio.platformId, portfolio])),
    byPhone: new Map(numbers.map((number) => [number.phone, number])),
    byPlatformId: new Map(numbers.map((number) => [number.platformId, number])),
  };
}

function checkTier(tier: number): void {
  if (!tiers.includes(tier))
    throw new ChatSetupRefused(`a tier is one of ${tiers.join(', ')}`, {
      reason: 'not-one-of',
      params: { values: tiers.join(', ') },
    });
}

function checkFound(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new ChatSetupRefused('there is no such portfolio', { reason: 'unknown' });
}
