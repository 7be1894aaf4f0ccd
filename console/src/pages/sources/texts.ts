import * as en from '../../i18n/en/sources.ts';
import * as he from '../../i18n/he/sources.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of senders, which are fetched with their page: the first load is limited. */
export const useSourceTexts = textsOfPages({ en: en.sources, he: he.sources });

/** The texts of sender requests, for operators. */
export const useSenderRequestTexts = textsOfPages({ en: en.senderRequests, he: he.senderRequests });
