import { textsOfPages } from '../../i18n/use-texts.tsx';
import { consents as en } from './texts.en.ts';
import { consents as he } from './texts.he.ts';

/** The texts of this page, which are fetched with it: few people open it, and the first load is limited. */
export const useConsentTexts = textsOfPages({ en, he });
