import { textsOfPages } from '../../i18n/use-texts.tsx';
import { general as en } from './texts.en.ts';
import { general as he } from './texts.he.ts';

/** The texts of this page, which are fetched with it: few people open it, and the first load is limited. */
export const useGeneralTexts = textsOfPages({ en, he });
