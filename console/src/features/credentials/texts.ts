import { passkeys as en } from '../../i18n/en/passkeys.ts';
import { passkeys as he } from '../../i18n/he/passkeys.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** Texts of passkeys, which are fetched with the pages that have them. */
export const usePasskeyTexts = textsOfPages({ en, he });
