import { blacklist as enBlacklist, contacts as enContacts } from '../../i18n/en/contacts.ts';
import { blacklist as heBlacklist, contacts as heContacts } from '../../i18n/he/contacts.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of contacts and of every import, which are fetched with the pages that show them: the first load is limited. */
export const useContactTexts = textsOfPages({ en: enContacts, he: heContacts });

/** The texts of the blacklist. */
export const useBlacklistTexts = textsOfPages({ en: enBlacklist, he: heBlacklist });
