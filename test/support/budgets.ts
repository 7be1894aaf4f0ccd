import { channels } from '../../server/channels/index.ts';
import { readConfig } from '../../server/kit/config.ts';
import type { Context } from '../../server/kit/context.ts';
import { BudgetBook, type Held } from '../../server/modules/budgets/budgets.ts';
import type { Budget } from '../../server/modules/budgets/kinds.ts';

/** Budgets with the limits of these settings, for parts that a test opens itself. */
export const budgetsFor = (
  deps: Pick<Context, 'sql' | 'clock'>,
  settings: Record<string, string> = {},
  held: Partial<Record<Budget, Held>> = {},
): BudgetBook =>
  new BudgetBook({ ...deps, config: readConfig(settings, channels), defaultZone: 'Asia/Jerusalem', held });
