import { personalData as en } from '../../i18n/en/personal-data.ts';
import { personalData as he } from '../../i18n/he/personal-data.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts: Readonly<Record<Language, typeof en>> = { en, he };

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const usePersonalDataTexts = () => texts[useLanguage()];
