import { z } from 'zod';
import { operatorChanges, operatorReads, proven, reads } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import { amount, field, found, idOf, oneOf, readAmount, whole } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import type { CoreContext } from '../../run/services.ts';
import { formatAmount } from '../accounts/money.ts';
import type { BudgetState } from './budgets.ts';
import { type Budget, budgetKinds, budgets as kinds } from './kinds.ts';

/* Budgets for resources without a price: shown to the account, changed by the operator. */

const MAX_COUNT = 1_000_000_000;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

const about = Object.entries(budgetKinds)
  .map(([budget, kind]) => `\`${budget}\`: ${kind.about}`)
  .join(' ');

const limitMeaning = 'null: no limit';
const stateAnswer = z.object({
  budget: out.oneOf(kinds, about, 'tests'),
  count: out.count('Number used.', 3),
  count_limit: out.maybeCount(`Largest number; ${limitMeaning}.`, 100),
  bytes: out.count('Bytes used.', 0),
  bytes_limit: out.maybeCount(`Largest number of bytes; ${limitMeaning}.`, null),
  credits: out.credits('Credits used.', '0'),
  credits_limit: out.maybeText(`Largest amount of credits; ${limitMeaning}.`, null),
  is_own: out.flag('Whether the operator set a limit for this account.', false),
  renews_at: out.maybeInstant(
    'Time at which the used amounts return to zero, ISO 8601; null: never.',
    '2026-03-25T22:00:00.000Z',
  ),
});
const budgetsAnswer = z.object({ budgets: z.array(stateAnswer).describe('All budgets.') });

const limitOf = (limit: number): number | null => (limit === 0 ? null : limit);

const show = ({ budget, used, limit, own, renewsAt }: BudgetState): z.output<typeof stateAnswer> => ({
  budget,
  count: used.count,
  count_limit: limitOf(limit.count),
  bytes: used.bytes,
  bytes_limit: limitOf(limit.bytes),
  credits: formatAmount(used.credits),
  credits_limit: limit.credits === 0 ? null : formatAmount(limit.credits),
  is_own: Object.values(own).some((value) => value !== null),
  renews_at: renewsAt === null ? null : iso(renewsAt),
});

const own = 'null removes the limit of this account, so that the setting applies; 0: no limit.';
const limitBody = z.object({
  budget: field(oneOf(kinds), about, 'tests'),
  count: field(whole(0, MAX_COUNT).nullable(), `Largest number. ${own}`, 500).optional(),
  bytes: field(whole(0, MAX_BYTES).nullable(), `Largest number of bytes. ${own}`, null).optional(),
  credits: field(amount.nullable(), `Largest amount of credits. ${own}`, null).optional(),
});

type BudgetDeps = Pick<CoreContext, 'budgets' | 'accounts'>;
const route = resource<BudgetDeps>('account');
const ofOperator = resource<BudgetDeps>('operator');

const shownOf = async (accountId: number, { budgets }: BudgetDeps) => ({
  budgets: (await budgets.list(accountId)).map(show),
});

/** Budgets of an account. */
export const budgetRoutes = [
  route('GET /v1/budgets', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'listBudgets',
    title: 'List budgets',
    description:
      'Lists the budgets for what has no price, with what the account used of each. A request over a budget returns `over-budget`.',
    answer: budgetsAnswer,
    handler: async ({ accountId }, deps) => shownOf(accountId, deps),
  }),
  ofOperator('GET /v1/operator/accounts/:id/budgets', {
    access: operatorReads,
    operationId: 'listAccountBudgets',
    title: 'List the budgets of an account',
    description: 'Lists the budgets of an account, with what it used of each.',
    id: idOf('account'),
    answer: budgetsAnswer,
    handler: async ({ id }, deps) => {
      found(await deps.accounts.byId(id), 'account');
      return shownOf(id, deps);
    },
  }),
  ofOperator('PATCH /v1/operator/accounts/:id/budgets', {
    access: proven(operatorChanges),
    operationId: 'limitAccountBudget',
    title: 'Change a budget of an account',
    description: 'Changes the limits of one budget for one account. Omitted fields keep their values.',
    refusals: ['bad-amount'],
    id: idOf('account'),
    body: limitBody,
    answer: budgetsAnswer,
    handler: async ({ id, body: { budget, count, bytes, credits }, audit }, deps) => {
      found(await deps.accounts.byId(id), 'account');
      const amounts = typeof credits === 'string' ? readAmount(credits, 'credits') : credits;
      const change = { count, bytes, credits: amounts };
      const { before, after } = await deps.budgets.limit(id, budget as Budget, change);
      audit({ before: auditedOf(before), after: auditedOf(after) });
      return shownOf(id, deps);
    },
  }),
];

/** The operator's limits, for the audit log. */
const auditedOf = ({ budget, own: { count, bytes, credits } }: BudgetState) => ({
  budget,
  count,
  bytes,
  credits: credits === null ? null : formatAmount(credits),
});
