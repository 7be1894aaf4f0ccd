import { operator as en } from '../../i18n/en/operator.ts';
import { operator as he } from '../../i18n/he/operator.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts: Readonly<Record<Language, typeof en>> = { en, he };

/** The texts of the operator's pages, which are fetched with them: few people open them, and the first load is limited. */
export const useOperatorTexts = () => texts[useLanguage()];
