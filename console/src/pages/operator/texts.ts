import { operator as en } from '../../i18n/en/operator.ts';
import { operator as he } from '../../i18n/he/operator.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of the operator's pages, which are fetched with them: few people open them, and the first load is limited. */
export const useOperatorTexts = textsOfPages({ en, he });
