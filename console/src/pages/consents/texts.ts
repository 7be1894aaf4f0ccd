import { consents as en } from '../../i18n/en/consents.ts';
import { consents as he } from '../../i18n/he/consents.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts: Readonly<Record<Language, typeof en>> = { en, he };

/** The texts of this page, which are fetched with it: few people open it, and the first load is limited. */
export const useConsentTexts = () => texts[useLanguage()];
