import { textsOfPages } from '../../i18n/use-texts.tsx';
import { requests as en } from './request-texts.en.ts';
import { requests as he } from './request-texts.he.ts';

/** The texts of the request log, fetched with its page: the first load is limited. */
export const useRequestTexts = textsOfPages({ en, he });
