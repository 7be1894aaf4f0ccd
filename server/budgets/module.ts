import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { budgetRoutes } from '../v1/account/budgets.ts';
import { BudgetBook } from './budgets.ts';
import { Questions } from './questions.ts';

/** Budgets of accounts for what has no price. */
export const budgets = defineModule({
  name: 'budgets',
  needs: ['sql', 'clock', 'secrets', 'config', 'defaultZone', 'storedFiles'],
  open: async ({ sql, clock, secrets, config, defaultZone, storedFiles }) => ({
    budgets: new BudgetBook({ sql, clock, config, defaultZone, held: { files: storedFiles } }),
    questions: await Questions.open({ sql, clock, secrets }),
  }),
  async upkeep({ budgets, questions }) {
    await budgets.cleanUp();
    await questions.cleanUp();
  },
  routes: [serve(budgetRoutes)],
});
