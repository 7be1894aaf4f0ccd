import { textsOfPages, useTexts } from '../../i18n/use-texts.tsx';
import { signIn as en } from './texts.en.ts';
import { signIn as he } from './texts.he.ts';

const useOwnTexts = textsOfPages({ en, he });

/** All texts, with those of the sign-in, which are fetched with it: the first load is limited. */
export function useSignInTexts() {
  return { ...useTexts(), signIn: useOwnTexts() };
}
