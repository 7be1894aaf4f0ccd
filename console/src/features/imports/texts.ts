import * as en from '../../i18n/en/contacts.ts';
import * as he from '../../i18n/he/contacts.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of contacts and of every import, which are fetched with the pages that show them: the first load is limited. */
export const useContactTexts = textsOfPages({ en: en.contacts, he: he.contacts });

/** The texts of the blacklist. */
export const useBlacklistTexts = textsOfPages({ en: en.blacklist, he: he.blacklist });
