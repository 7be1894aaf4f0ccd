import { textsOfPages } from '../../i18n/use-texts.tsx';
import { operator as en } from './texts.en.ts';
import { operator as he } from './texts.he.ts';

/** The texts of the operator's pages, which are fetched with them: few people open them, and the first load is limited. */
export const useOperatorTexts = textsOfPages({ en, he });
