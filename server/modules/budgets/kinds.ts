import type { Config } from '../../kit/config.ts';
import { parseAmount } from '../accounts/money.ts';

/** Units of a budget. */
export const budgetUnits = ['count', 'bytes', 'credits'] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

/** Amounts of each unit; credits in ten-thousandths. In limits, 0 means no limit. */
export type BudgetAmounts = Readonly<Record<BudgetUnit, number>>;

type Budgets = Pick<
  Config,
  | 'BUDGET_SERVICE_MAILS'
  | 'BUDGET_TESTS'
  | 'BUDGET_VERIFICATIONS'
  | 'BUDGET_AUTOMATIC_REPLIES'
  | 'BUDGET_AUTOMATIC_REPLY_CREDITS'
  | 'BUDGET_FILES'
>;

const MEGABYTE = 1_000_000;

interface BudgetKind {
  /** One sentence for the API description and the docs. */
  readonly about: string;
  /** `day`: renews at midnight in the time zone of the account. `held`: amounts come back when they are deleted. */
  readonly span: 'day' | 'held';
  /** The limits of the settings. A unit without one is not limited. */
  readonly limits: (config: Budgets) => Partial<BudgetAmounts>;
}

/** Every budget. A way to send or store that has no price takes from one of them (docs/decisions/0018-budgets.md). */
export const budgetKinds = {
  'service-mails': {
    about: 'Alerts by email, which the service sends in its own name.',
    span: 'day',
    limits: ({ BUDGET_SERVICE_MAILS: count }) => ({ count }),
  },
  tests: {
    about: 'Test alerts per recipient, test emails of campaigns, and test events of webhooks.',
    span: 'day',
    limits: ({ BUDGET_TESTS: count }) => ({ count }),
  },
  verifications: {
    about:
      'Messages that ask the owner of an address or a number for confirmation: users of mailing lists, recipients of alerts, senders. Mailed invitations and password links count too.',
    span: 'day',
    limits: ({ BUDGET_VERIFICATIONS: count }) => ({ count }),
  },
  'automatic-replies': {
    about: 'Automatic replies to clients over all channels.',
    span: 'day',
    limits: ({ BUDGET_AUTOMATIC_REPLIES: count, BUDGET_AUTOMATIC_REPLY_CREDITS: credits }) => ({
      count,
      credits: parseAmount(credits),
    }),
  },
  files: {
    about:
      'Stored files: uploads, files from clients, files of imports and exports, and archives of personal data.',
    span: 'held',
    limits: ({ BUDGET_FILES: megabytes }) => ({ bytes: megabytes * MEGABYTE }),
  },
} as const satisfies Readonly<Record<string, BudgetKind>>;

export type Budget = keyof typeof budgetKinds;
export const budgets = Object.keys(budgetKinds) as [Budget, ...Budget[]];

/** The limits of the settings for a budget; 0 is no limit. */
export function settingLimits(config: Budgets, budget: Budget): BudgetAmounts {
  return { ...nothing, ...(budgetKinds[budget] as BudgetKind).limits(config) };
}

export const nothing: BudgetAmounts = { count: 0, bytes: 0, credits: 0 };

/** The sum of amounts, by unit. */
export const sumOf = (amounts: readonly BudgetAmounts[]): BudgetAmounts =>
  Object.fromEntries(
    budgetUnits.map((unit) => [unit, amounts.reduce((sum, one) => sum + one[unit], 0)]),
  ) as unknown as BudgetAmounts;
