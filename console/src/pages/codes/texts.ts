import { codes as en } from '../../i18n/en/codes.ts';
import { codes as he } from '../../i18n/he/codes.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of this page, which are fetched with it: the first load is limited. */
export const useCodeTexts = textsOfPages({ en, he });
