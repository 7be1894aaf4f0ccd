import { subscribers as en } from '../../i18n/en/subscribers.ts';
import { subscribers as he } from '../../i18n/he/subscribers.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts: Readonly<Record<Language, typeof en>> = { en, he };

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useSubscriberTexts = () => texts[useLanguage()];
