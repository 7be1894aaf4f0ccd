import { textsOfPages } from '../../i18n/use-texts.tsx';
import { senderRequests as enRequests, sources as enSources } from './texts.en.ts';
import { senderRequests as heRequests, sources as heSources } from './texts.he.ts';

/** The texts of senders, which are fetched with their page: the first load is limited. */
export const useSourceTexts = textsOfPages({ en: enSources, he: heSources });

/** The texts of sender requests, for operators. */
export const useSenderRequestTexts = textsOfPages({ en: enRequests, he: heRequests });
