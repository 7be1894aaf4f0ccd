import { textsOfPages } from '../../i18n/use-texts.tsx';
import { budgets as en } from './texts.en.ts';
import { budgets as he } from './texts.he.ts';

/** The texts of budgets, which are fetched with the pages that show them: the first load is limited. */
export const useBudgetTexts = textsOfPages({ en, he });
