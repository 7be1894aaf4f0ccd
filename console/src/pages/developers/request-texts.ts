import { requests as en } from '../../i18n/en/requests.ts';
import { requests as he } from '../../i18n/he/requests.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts = { en, he };

/** The texts of the request log, fetched with its page: the first load is limited. */
export const useRequestTexts = () => texts[useLanguage()];
