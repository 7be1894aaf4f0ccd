import { data as en } from '../../i18n/en/data.ts';
import { data as he } from '../../i18n/he/data.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of pages about kept data, which are fetched with them: few people open them, and the first load is limited. */
export const useDataTexts = textsOfPages({ en, he });
