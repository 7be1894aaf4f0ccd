import { DateTime } from 'luxon';
import type { Queryable } from '../../database/connection.ts';
import type { Config } from '../../kit/config.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { parseAmount, toNumeric } from '../accounts/money.ts';
import {
  type Budget,
  type BudgetAmounts,
  type BudgetUnit,
  budgetKinds,
  budgets,
  budgetUnits,
  nothing,
  settingLimits,
  sumOf,
} from './kinds.ts';

const DAY_MS = 86_400_000;
/** Share of a limit that is kept for what others cause, such as files that clients sent. */
const RESERVE = 0.25;
/** Days for which usage is kept. */
const KEPT_DAYS = 32;

/** Counts what an account holds of a budget that does not renew. Runs in the transaction of the caller. */
export type Held = (sql: Queryable, accountId: number) => Promise<BudgetAmounts>;

interface BudgetsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly config: Config;
  /** Time zone of accounts without one. */
  readonly defaultZone: string;
  readonly held: Readonly<Partial<Record<Budget, Held>>>;
}

/** Limits that the operator set for an account; null: the limit of the settings. */
export type OwnLimits = Readonly<Record<BudgetUnit, number | null>>;

/** A budget of an account as it is shown. */
export interface BudgetState {
  readonly budget: Budget;
  readonly used: BudgetAmounts;
  /** 0 is no limit. */
  readonly limit: BudgetAmounts;
  readonly own: OwnLimits;
  /** Milliseconds since the epoch; null for a budget that does not renew. */
  readonly renewsAt: number | null;
}

interface Terms {
  readonly zone: string;
  readonly own: OwnLimits;
}

const noOwnLimits: OwnLimits = { count: null, bytes: null, credits: null };

/**
 * Budgets of accounts for what has no price: amounts for each account, budget and day. Every free way to send or store
 * takes from one before it acts.
 */
export class BudgetBook {
  readonly #deps: BudgetsDeps;

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
  }

  /**
   * Takes amounts from a budget in the transaction of the caller, so that both are stored or neither. Throws Refusal
   * `over-budget`, which names the budget and the time at which it renews; the budget is unchanged then.
   */
  async take(
    tx: Queryable,
    accountId: number,
    budget: Budget,
    amounts: Partial<BudgetAmounts>,
  ): Promise<void> {
    const refusal = await this.tryTake(tx, accountId, budget, amounts);
    if (refusal) throw refusal;
  }

  /**
   * As `take`, but returns the refusal, for callers that commit their transaction without these amounts. `reserve` allows a
   * quarter more than the limit.
   */
  async tryTake(
    tx: Queryable,
    accountId: number,
    budget: Budget,
    amounts: Partial<BudgetAmounts>,
    { reserve = false }: { readonly reserve?: boolean } = {},
  ): Promise<Refusal | undefined> {
    const taken = { ...nothing, ...amounts };
    const { zone, own } = await this.#terms(tx, accountId, budget);
    const usual = this.#limitOf(budget, own);
    const limit = reserve ? withReserve(usual) : usual;
    const { day, renewsAt } = this.#dayOf(budget, zone);
    const over = () => overBudget(budget, renewsAt);
    if (isOver(taken, limit)) return over();
    const held = this.#deps.held[budget];
    const stored = held ? nothing : taken;
    const rows = await tx`
      INSERT INTO budget_uses AS b (account_id, budget, day, count, bytes, credits)
      VALUES (${accountId}, ${budget}, ${day}, ${stored.count}, ${stored.bytes}, ${toNumeric(stored.credits)}::numeric)
      ON CONFLICT ON CONSTRAINT budget_uses_pkey DO UPDATE SET count = b.count + excluded.count,
        bytes = b.bytes + excluded.bytes, credits = b.credits + excluded.credits
      WHERE (${limit.count}::bigint = 0 OR b.count + excluded.count <= ${limit.count}::bigint)
        AND (${limit.bytes}::bigint = 0 OR b.bytes + excluded.bytes <= ${limit.bytes}::bigint)
        AND (${limit.credits}::bigint = 0 OR b.credits + excluded.credits <= ${toNumeric(limit.credits)}::numeric)
      RETURNING day`;
    if (rows.length === 0) return over();
    if (!held) return undefined;
    // The row is a lock: amounts that others hold are committed when this statement begins.
    const now = await held(tx, accountId);
    return isOver(sumOf([now, taken]), limit) ? over() : undefined;
  }

  /**
   * Takes as much of a count as the limit leaves, in the transaction of the caller, for work that can wait. Returns the number
   * taken, and the time at which the budget renews in milliseconds since the epoch.
   */
  async takeSome(
    tx: Queryable,
    accountId: number,
    budget: Budget,
    wanted: number,
  ): Promise<{ readonly taken: number; readonly renewsAt: number }> {
    const { zone, own } = await this.#terms(tx, accountId, budget);
    const { count: limit } = this.#limitOf(budget, own);
    const { day, renewsAt } = this.#dayOf(budget, zone);
    // The row is a lock until the amounts are added.
    const [used] = await tx<{ count: number }[]>`
      INSERT INTO budget_uses AS b (account_id, budget, day, count, bytes, credits)
      VALUES (${accountId}, ${budget}, ${day}, 0, 0, 0)
      ON CONFLICT ON CONSTRAINT budget_uses_pkey DO UPDATE SET count = b.count
      RETURNING count`;
    const taken = limit === 0 ? wanted : Math.max(0, Math.min(wanted, limit - used!.count));
    await tx`
      UPDATE budget_uses SET count = count + ${taken}
      WHERE account_id = ${accountId} AND budget = ${budget} AND day = ${day}`;
    return { taken, renewsAt: renewsAt ?? this.#deps.clock.now() + DAY_MS };
  }

  /** Returns amounts to the budget of today, for work that failed. The used amounts stay at zero or more. */
  async giveBack(
    tx: Queryable,
    accountId: number,
    budget: Budget,
    amounts: Partial<BudgetAmounts>,
  ): Promise<void> {
    const given = { ...nothing, ...amounts };
    const { zone } = await this.#terms(tx, accountId, budget);
    const { day } = this.#dayOf(budget, zone);
    await tx`
      UPDATE budget_uses SET count = greatest(count - ${given.count}::bigint, 0),
        bytes = greatest(bytes - ${given.bytes}::bigint, 0),
        credits = greatest(credits - ${toNumeric(given.credits)}::numeric, 0)
      WHERE account_id = ${accountId} AND budget = ${budget} AND day = ${day}`;
  }

  /** Every budget of an account, in the order of `budgetKinds`. */
  async list(accountId: number): Promise<readonly BudgetState[]> {
    const { sql } = this.#deps;
    return Promise.all(budgets.map((budget) => this.#state(sql, accountId, budget)));
  }

  /**
   * Changes the limits that the operator set for an account; undefined leaves one as it is, null removes it. Returns the
   * states before and after.
   */
  async limit(
    accountId: number,
    budget: Budget,
    change: { readonly [Unit in BudgetUnit]?: number | null | undefined },
  ): Promise<{ readonly before: BudgetState; readonly after: BudgetState }> {
    return this.#deps.sql.begin(async (tx) => {
      const before = await this.#state(tx, accountId, budget);
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const own: OwnLimits = { ...before.own, ...Object.fromEntries(given) };
      await tx`
        INSERT INTO budget_limits (account_id, budget, count, bytes, credits)
        VALUES (${accountId}, ${budget}, ${own.count}, ${own.bytes}, ${own.credits === null ? null : toNumeric(own.credits)}::numeric)
        ON CONFLICT ON CONSTRAINT budget_limits_pkey
        DO UPDATE SET count = excluded.count, bytes = excluded.bytes, credits = excluded.credits`;
      return { before, after: await this.#state(tx, accountId, budget) };
    });
  }

  /** When a budget of an account renews, in milliseconds since the epoch; a day from now for one that does not. */
  async renewsAt(tx: Queryable, accountId: number, budget: Budget): Promise<number> {
    const { zone } = await this.#terms(tx, accountId, budget);
    return this.#dayOf(budget, zone).renewsAt ?? this.#deps.clock.now() + DAY_MS;
  }

  /** Deletes usage of past days. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    const before = DateTime.fromMillis(clock.now() - KEPT_DAYS * DAY_MS, { zone: 'utc' }).toISODate()!;
    await sql`DELETE FROM budget_uses WHERE day <> '' AND day < ${before}`;
  }

  async #state(sql: Queryable, accountId: number, budget: Budget): Promise<BudgetState> {
    const { zone, own } = await this.#terms(sql, accountId, budget);
    const { day, renewsAt } = this.#dayOf(budget, zone);
    const used =
      (await this.#deps.held[budget]?.(sql, accountId)) ?? (await usedOf(sql, accountId, budget, day));
    return { budget, used, limit: this.#limitOf(budget, own), own, renewsAt };
  }

  /** The time zone of an account and the limits that the operator set for it. */
  async #terms(sql: Queryable, accountId: number, budget: Budget): Promise<Terms> {
    const [row] = await sql<
      { zone: string | null; count: number | null; bytes: number | null; credits: string | null }[]
    >`
      SELECT a.time_zone AS zone, l.count, l.bytes, l.credits
      FROM accounts a LEFT JOIN budget_limits l ON l.account_id = a.id AND l.budget = ${budget}
      WHERE a.id = ${accountId}`;
    if (!row) return { zone: this.#deps.defaultZone, own: noOwnLimits };
    const { zone, count, bytes, credits } = row;
    const own = { count, bytes, credits: credits === null ? null : parseAmount(credits) };
    return { zone: zone ?? this.#deps.defaultZone, own };
  }

  #limitOf(budget: Budget, own: OwnLimits): BudgetAmounts {
    const usual = settingLimits(this.#deps.config, budget);
    return Object.fromEntries(
      budgetUnits.map((unit) => [unit, own[unit] ?? usual[unit]]),
    ) as unknown as BudgetAmounts;
  }

  #dayOf(budget: Budget, zone: string): { readonly day: string; readonly renewsAt: number | null } {
    if (budgetKinds[budget].span !== 'day') return { day: '', renewsAt: null };
    const today = DateTime.fromMillis(this.#deps.clock.now(), { zone });
    return { day: today.toISODate()!, renewsAt: today.startOf('day').plus({ days: 1 }).toMillis() };
  }
}

async function usedOf(
  sql: Queryable,
  accountId: number,
  budget: Budget,
  day: string,
): Promise<BudgetAmounts> {
  const [row] = await sql<{ count: number; bytes: number; credits: string }[]>`
    SELECT count, bytes, credits FROM budget_uses
    WHERE account_id = ${accountId} AND budget = ${budget} AND day = ${day}`;
  return row ? { ...row, credits: parseAmount(row.credits) } : nothing;
}

const withReserve = (limit: BudgetAmounts): BudgetAmounts =>
  Object.fromEntries(
    budgetUnits.map((unit) => [unit, Math.floor(limit[unit] * (1 + RESERVE))]),
  ) as unknown as BudgetAmounts;

const isOver = (amounts: BudgetAmounts, limit: BudgetAmounts): boolean =>
  budgetUnits.some((unit) => limit[unit] > 0 && amounts[unit] > limit[unit]);

function overBudget(budget: Budget, renewsAt: number | null): Refusal {
  const renews = renewsAt === null ? '' : new Date(renewsAt).toISOString();
  const until =
    renews === ''
      ? 'shorten the retention of files or ask the operator for a higher limit'
      : `it renews at ${renews}`;
  return new Refusal('over-budget', `the budget ${budget} of the account is used up; ${until}`, undefined, {
    reason: 'over-budget',
    params: { budget, renews },
  });
}
