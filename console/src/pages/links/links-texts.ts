import { links as en } from '../../i18n/en/links.ts';
import { links as he } from '../../i18n/he/links.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useLinkTexts = textsOfPages({ en, he });
