import { textsOfPages } from '../../i18n/use-texts.tsx';
import { contacts as en } from './texts.en.ts';
import { contacts as he } from './texts.he.ts';

/** The texts of contacts and of every import, which are fetched with the pages that show them: the first load is limited. */
export const useContactTexts = textsOfPages({ en, he });
