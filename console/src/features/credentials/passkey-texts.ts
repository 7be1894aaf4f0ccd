import { textsOfPages } from '../../i18n/use-texts.tsx';
import { passkeys as en } from './passkey-texts.en.ts';
import { passkeys as he } from './passkey-texts.he.ts';

/** Texts of passkeys, which are fetched with the pages that have them. */
export const usePasskeyTexts = textsOfPages({ en, he });
