import type { Events } from '../../engine/events/events.ts';
import type { Context } from '../../kit/context.ts';
import type { ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import type { Restriction, StandingFact, StandingTopic } from '../../protocols/chat-platform/facts.ts';
import type { ChatNumber, ChatNumbers, Portfolio } from './business-numbers.ts';

/** Milliseconds for which a violation or an alert, which the platform never withdraws, counts as a problem. */
const SHOWN_FOR_MS = 30 * 86_400_000;

/** The platform's latest notice about a portfolio or one of its numbers, on one topic. */
export interface Standing {
  readonly topic: StandingTopic;
  /** E.164 digits; empty: the portfolio as a whole. */
  readonly phone: string;
  /** The platform's word for the standing, and for its reason; the latter may be empty. */
  readonly word: string;
  readonly reason: string;
  readonly restrictions: readonly Restriction[];
  /** Milliseconds since the epoch. */
  readonly toldAt: number;
}

/** A current problem of a portfolio or a number. */
export interface StandingProblem extends Pick<Standing, 'topic' | 'phone' | 'word' | 'reason' | 'toldAt'> {
  /** `stopped`: some or all messages cannot be sent. */
  readonly severity: 'stopped' | 'warning';
  /** End in milliseconds since the epoch; null: until the platform reports otherwise. */
  readonly until: number | null;
}

/** Words that mean that no problem exists, by topic. */
const fine: Readonly<Partial<Record<StandingTopic, readonly string[]>>> = {
  ban: ['REINSTATE'],
  connection: ['ACCOUNT_RECONNECTED', 'PARTNER_ADDED'],
  review: ['APPROVED', 'PENDING', 'DEFERRED'],
  name: ['APPROVED', 'PENDING', 'DEFERRED'],
  quality: ['GREEN', 'YELLOW', 'UNKNOWN'],
};
/** Severities of alerts that need no action. */
const informing: readonly string[] = ['INFORMATIONAL', 'NONE'];
const stopping: ReadonlySet<string> = new Set([
  'DISABLE',
  'ACCOUNT_DELETED',
  'ACCOUNT_OFFBOARDED',
  'PARTNER_REMOVED',
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
]);

/** Returns the quality rating of a number by reports of its recipients: `GREEN`, `YELLOW`, `RED`, or `UNKNOWN`. */
export const qualityOfNumber = ({ standings }: Portfolio, phone: string): string =>
  standings.find((standing) => standing.topic === 'quality' && standing.phone === phone)?.word ?? 'UNKNOWN';

/**
 * Returns the current problems of a portfolio and its numbers at `now` (milliseconds since the epoch), oldest first.
 */
export function problemsOf({ standings }: Pick<Portfolio, 'standings'>, now: number): StandingProblem[] {
  return standings.flatMap(({ topic, phone, word, reason, restrictions, toldAt }): StandingProblem[] => {
    const problem = (what: string, until: number | null): StandingProblem => {
      const severity = stopping.has(what) ? 'stopped' : 'warning';
      return { topic, phone, word: what, reason, toldAt, severity, until };
    };
    switch (topic) {
      case 'restriction':
        return restrictions
          .filter(({ until }) => until === null || until > now)
          .map(({ type, until }) => problem(type, until));
      case 'violation':
        return toldAt + SHOWN_FOR_MS > now ? [problem(word, null)] : [];
      case 'alert':
        return toldAt + SHOWN_FOR_MS > now && !informing.includes(reason) ? [problem(word, null)] : [];
      default:
        return fine[topic]?.includes(word) ? [] : [problem(word, null)];
    }
  });
}

interface StandingsDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly events: Pick<Events, 'record'>;
  readonly numbers: Pick<ChatNumbers, 'portfolioByPlatformId' | 'list' | 'reload'>;
  readonly platform: Pick<ChatPlatformClient, 'listNumbers'>;
}

/** Stores the standing of portfolios and business numbers on the platform: restrictions, bans, ratings. */
export class Standings {
  readonly #deps: StandingsDeps;

  constructor(deps: StandingsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a notice of the platform, which may be repeated or out of order: the newest one on each topic is valid. Each
   * change is an event of the account. Resolves when it is stored. Ignores unknown business accounts and numbers.
   */
  async store(fact: StandingFact): Promise<void> {
    const { numbers, log } = this.#deps;
    const portfolio = await numbers.portfolioByPlatformId(fact.accountId);
    const ours = portfolio && (await this.#numbersOf(portfolio));
    const phone = fact.businessNumber;
    if (!portfolio || fact.word === '' || (phone !== '' && !ours?.some((number) => number.phone === phone))) {
      log.warn({ topic: fact.topic }, 'standing of an unknown business account ignored');
      return;
    }
    const { topic, word, reason, restrictions, at } = fact;
    await this.#store(portfolio, { topic, phone, word, reason, restrictions, toldAt: at });
  }

  /**
   * Requests the ratings of a portfolio's numbers from the platform, because no notice reports them. Without a response
   * they stay unchanged.
   */
  async refresh(portfolio: Portfolio, signal?: AbortSignal): Promise<void> {
    const { platform, clock, log } = this.#deps;
    const toldAt = clock.now();
    const account = { accountId: portfolio.platformId, token: portfolio.accessToken };
    const listed = await platform.listNumbers(account, signal);
    if (listed.outcome !== 'done') {
      log.info(
        { portfolio: portfolio.id, outcome: listed.outcome },
        'ratings of business numbers are not known',
      );
      return;
    }
    const ratings = new Map(listed.numbers.map(({ platformId, quality }) => [platformId, quality]));
    for (const { phone, platformId } of await this.#numbersOf(portfolio)) {
      const word = ratings.get(platformId);
      if (word === undefined || word === qualityOfNumber(portfolio, phone)) continue;
      await this.#store(portfolio, { topic: 'quality', phone, word, reason: '', restrictions: [], toldAt });
    }
  }

  async #numbersOf({ id, accountId }: Portfolio): Promise<ChatNumber[]> {
    return (await this.#deps.numbers.list(accountId)).filter(({ portfolioId }) => portfolioId === id);
  }

  async #store(portfolio: Portfolio, standing: Standing): Promise<void> {
    const { sql, numbers, events } = this.#deps;
    const { id, accountId, name } = portfolio;
    const { topic, phone, word, reason, restrictions, toldAt } = standing;
    const isStored = await sql.begin(async (tx) => {
      const rows = await tx`
        INSERT INTO chat_standings AS s (portfolio_id, phone, topic, account_id, word, reason, restrictions, told_at)
        VALUES (${id}, ${phone}, ${topic}, ${accountId}, ${word}, ${reason},
          ${JSON.stringify(restrictions)}::text::jsonb, ${toldAt})
        ON CONFLICT ON CONSTRAINT chat_standings_pkey DO UPDATE
          SET word = excluded.word, reason = excluded.reason, restrictions = excluded.restrictions,
            told_at = excluded.told_at
          WHERE s.told_at < excluded.told_at
        RETURNING topic`;
      if (rows.length === 0) return false;
      const data = {
        portfolio_id: id,
        portfolio: name,
        from: phone || null,
        topic,
        word,
        reason,
        restrictions: restrictions.map(({ type, until }) => ({ type, until: isoOf(until) })),
      };
      await events.record(tx, accountId, [{ type: 'chat.account', at: toldAt, data }]);
      return true;
    });
    if (isStored) await numbers.reload();
  }
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
