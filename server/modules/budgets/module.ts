import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { BudgetBook } from './budgets.ts';
import { Questions } from './questions.ts';
import { budgetsTables } from './tables.ts';
import { budgetRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly budgets: BudgetBook;
    readonly questions: Questions;
  }
}

/** Budgets of accounts for what has no price. */
export const budgets = defineModule({
  name: 'budgets',
  tables: budgetsTables,
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
