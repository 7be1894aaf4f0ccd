import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of budgets. */
export const budgetsTables = defineTables({
  budget_uses: { placement: 'coordinator', personalData: noPersonalData.settings },
  budget_limits: { placement: 'coordinator', personalData: noPersonalData.settings },
  asked_recipients: {
    placement: 'coordinator',
    personalData: { none: 'keyed digests of addresses and numbers with a count, for a day' },
  },
});
