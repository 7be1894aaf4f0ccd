import { TableCache } from '../../database/table-cache.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { type HighCostKind, highCostKinds, highCostRanges } from '../../kit/numbers/high-cost-ranges.ts';
import { PrefixTable } from '../../kit/numbers/prefix-table.ts';
import { EVERYONE } from '../../modules/accounts/prices.ts';

/** Milliseconds for which a change by another process may stay unseen. */
const MAX_AGE_MS = 1_000;
/** Rules about one account, or about all accounts. Each process keeps all rules in memory. */
const MAX_RULES = 1_000;

/** A rule of the operator about numbers that begin with a prefix. */
export interface DestinationRule {
  /** EVERYONE, or the account that it is about. */
  readonly accountId: number;
  /** E.164 digits. */
  readonly prefix: string;
  readonly permitted: boolean;
  /** Reason, for other operators. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Identifies a rule. */
type RuleKey = Pick<DestinationRule, 'accountId' | 'prefix'>;

/** The rule that decides about a number. */
export interface Decision {
  readonly permitted: boolean;
  readonly prefix: string;
  /** Kind of a range of the table that ships; `rule` for a rule of the operator. */
  readonly by: HighCostKind | 'rule';
}

type Known = ReadonlyMap<number, PrefixTable<boolean>>;

const shipped = new PrefixTable<HighCostKind>(
  highCostKinds.flatMap((kind) =>
    highCostRanges.ranges[kind].map((prefix): [string, HighCostKind] => [prefix, kind]),
  ),
);

/**
 * Ranges of numbers that accounts may not send to or call: a table that ships, and rules of the operator that come before it. The
 * rules of the account decide first, then those for all accounts, then the table; in each the longest prefix decides.
 */
export class Destinations {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;
  readonly #cache: TableCache<Known>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
    this.#cache = new TableCache({
      owner: 'destination rules',
      maxAgeMs: MAX_AGE_MS,
      read: async () => {
        const rules = Map.groupBy(await this.list(), ({ accountId }) => accountId);
        return new Map(
          Array.from(rules, ([accountId, own]) => [
            accountId,
            new PrefixTable(own.map(({ prefix, permitted }): [string, boolean] => [prefix, permitted])),
          ]),
        );
      },
    });
  }

  /** Reads the rules again when they are older than a second. Call it before `find`. */
  async refresh(): Promise<void> {
    await this.#cache.fresh();
  }

  /** The rule in memory that decides about a number (E.164 digits); undefined when none names it, so that it is permitted. */
  find(accountId: number, phone: string): Decision | undefined {
    const known = this.#cache.known;
    if (known && known.size > 0) {
      const rule = known.get(accountId)?.find(phone) ?? known.get(EVERYONE)?.find(phone);
      if (rule) return { permitted: rule.value, prefix: rule.prefix, by: 'rule' };
    }
    const range = shipped.find(phone);
    return range && { permitted: false, prefix: range.prefix, by: range.value };
  }

  /** The rules of the operator, by account and prefix; with `accountId` only those of one. */
  async list(accountId?: number): Promise<readonly DestinationRule[]> {
    const { sql } = this.#deps;
    return sql<DestinationRule[]>`
      SELECT account_id AS "accountId", prefix, permitted, note, changed_at AS "changedAt" FROM destination_rules
      ${accountId === undefined ? sql`` : sql`WHERE account_id = ${accountId}`}
      ORDER BY account_id, prefix`;
  }

  /**
   * Adds a rule, or replaces the one about the same account and prefix. Returns both rules. Throws Refusal `not-now` when there
   * are too many rules.
   */
  async set(
    rule: Omit<DestinationRule, 'changedAt'>,
  ): Promise<{ readonly before: DestinationRule | undefined; readonly after: DestinationRule }> {
    const { sql, clock } = this.#deps;
    const { accountId, prefix, permitted, note } = rule;
    const rules = await this.list(accountId);
    const before = rules.find((other) => other.prefix === prefix);
    if (!before && rules.length >= MAX_RULES) {
      throw new Refusal('not-now', `there are ${MAX_RULES} rules; delete one first`, undefined, {
        reason: 'limit-reached',
        params: { max: MAX_RULES },
      });
    }
    const after = { ...rule, changedAt: clock.now() };
    await sql`
      INSERT INTO destination_rules (account_id, prefix, permitted, note, changed_at)
      VALUES (${accountId}, ${prefix}, ${permitted}, ${note}, ${after.changedAt})
      ON CONFLICT ON CONSTRAINT destination_rules_pkey
      DO UPDATE SET permitted = excluded.permitted, note = excluded.note, changed_at = excluded.changed_at`;
    await this.#cache.reload();
    return { before, after };
  }

  /** Deletes a rule and returns it; undefined for an unknown rule. */
  async remove({ accountId, prefix }: RuleKey): Promise<DestinationRule | undefined> {
    const [row] = await this.#deps.sql<DestinationRule[]>`
      DELETE FROM destination_rules WHERE account_id = ${accountId} AND prefix = ${prefix}
      RETURNING account_id AS "accountId", prefix, permitted, note, changed_at AS "changedAt"`;
    await this.#cache.reload();
    return row;
  }
}
