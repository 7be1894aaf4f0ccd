import { signIn as en } from '../../i18n/en/sign-in.ts';
import { signIn as he } from '../../i18n/he/sign-in.ts';
import { textsOfPages, useTexts } from '../../i18n/texts.tsx';

const useOwnTexts = textsOfPages({ en, he });

/** All texts, with those of the sign-in, which are fetched with it: the first load is limited. */
export function useSignInTexts() {
  return { ...useTexts(), signIn: useOwnTexts() };
}
