import { textsOfPages } from '../../i18n/use-texts.tsx';
import { links as en } from './texts.en.ts';
import { links as he } from './texts.he.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useLinkTexts = textsOfPages({ en, he });
