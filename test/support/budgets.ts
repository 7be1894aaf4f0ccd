import { BudgetBook, type Held } from '../../server/budgets/budgets.ts';
import type { Budget } from '../../server/budgets/kinds.ts';
import { channels } from '../../server/channels/index.ts';
import { readConfig } from '../../server/config.ts';
import type { Context } from '../../server/context.ts';

/** Budgets with the limits of these settings, for parts that a test opens itself. */
export const budgetsFor = (
  deps: Pick<Context, 'sql' | 'clock'>,
  settings: Record<string, string> = {},
  held: Partial<Record<Budget, Held>> = {},
): BudgetBook =>
  new BudgetBook({ ...deps, config: readConfig(settings, channels), defaultZone: 'Asia/Jerusalem', held });
