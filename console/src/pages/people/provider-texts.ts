import { textsOfPages } from '../../i18n/use-texts.tsx';
import { signInProviders as en } from './provider-texts.en.ts';
import { signInProviders as he } from './provider-texts.he.ts';

/** Texts of sign-in providers, which are fetched with the pages that have them. */
export const useProviderTexts = textsOfPages({ en, he });
