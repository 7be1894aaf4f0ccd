import type { Budget } from './kinds.ts';

/** Reasons why an email in the name of the service is in no budget of an account. */
export const budgetExemptions = {
  operator: 'An email to people of the operator, which no account causes.',
} as const;

/** The budget that an email in the name of the service was taken from, or the reason why there is none. */
export type MailBudget = Budget | { readonly exempt: keyof typeof budgetExemptions };

/**
 * Throws Error, a fault of ours, for an email of an account without a budget, and for an email of the operator with one.
 * `isOperators`: the pass of the email belongs to no account.
 */
export function checkMailBudget(
  { isOperators }: { readonly isOperators: boolean },
  budget: MailBudget,
): void {
  const isExempt = typeof budget !== 'string';
  if (isExempt !== isOperators) throw new Error('an email of the service names the wrong budget');
}
