import { requests as en } from '../../i18n/en/requests.ts';
import { requests as he } from '../../i18n/he/requests.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of the request log, fetched with its page: the first load is limited. */
export const useRequestTexts = textsOfPages({ en, he });
