import { consents as en } from '../../i18n/en/consents.ts';
import { consents as he } from '../../i18n/he/consents.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of this page, which are fetched with it: few people open it, and the first load is limited. */
export const useConsentTexts = textsOfPages({ en, he });
