import { passkeys as en } from '../../i18n/en/passkeys.ts';
import { passkeys as he } from '../../i18n/he/passkeys.ts';
import { useLanguage } from '../../i18n/texts.tsx';

const texts = { en, he };

/** Texts of passkeys, which are fetched with the pages that have them. */
export const usePasskeyTexts = () => texts[useLanguage()];
