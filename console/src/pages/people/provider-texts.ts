import { signInProviders as en } from '../../i18n/en/sign-in-providers.ts';
import { signInProviders as he } from '../../i18n/he/sign-in-providers.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts = { en, he };

/** Texts of sign-in providers, which are fetched with the pages that have them. */
export const useProviderTexts = () => texts[useLanguage()];
