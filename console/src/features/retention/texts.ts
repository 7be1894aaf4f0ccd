import { textsOfPages } from '../../i18n/use-texts.tsx';
import { data as en } from './texts.en.ts';
import { data as he } from './texts.he.ts';

/** The texts of pages about kept data, which are fetched with them: few people open them, and the first load is limited. */
export const useDataTexts = textsOfPages({ en, he });
