import { signInProviders as en } from '../../i18n/en/sign-in-providers.ts';
import { signInProviders as he } from '../../i18n/he/sign-in-providers.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** Texts of sign-in providers, which are fetched with the pages that have them. */
export const useProviderTexts = textsOfPages({ en, he });
