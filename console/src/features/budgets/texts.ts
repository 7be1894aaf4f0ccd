import { budgets as en } from '../../i18n/en/budgets.ts';
import { budgets as he } from '../../i18n/he/budgets.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of budgets, which are fetched with the pages that show them: the first load is limited. */
export const useBudgetTexts = textsOfPages({ en, he });
