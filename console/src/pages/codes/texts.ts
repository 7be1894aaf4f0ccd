import { textsOfPages } from '../../i18n/use-texts.tsx';
import { codes as en } from './texts.en.ts';
import { codes as he } from './texts.he.ts';

/** The texts of this page, which are fetched with it: the first load is limited. */
export const useCodeTexts = textsOfPages({ en, he });
