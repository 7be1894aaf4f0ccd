import { textsOfPages } from '../../i18n/use-texts.tsx';
import { blacklist as en } from './texts.en.ts';
import { blacklist as he } from './texts.he.ts';

/** The texts of the blacklist, which are fetched with its page: the first load is limited. */
export const useBlacklistTexts = textsOfPages({ en, he });
