import { textsOfPages } from '../../i18n/use-texts.tsx';
import { blacklist as enBlacklist, contacts as enContacts } from './texts.en.ts';
import { blacklist as heBlacklist, contacts as heContacts } from './texts.he.ts';

/** The texts of contacts and of every import, which are fetched with the pages that show them: the first load is limited. */
export const useContactTexts = textsOfPages({ en: enContacts, he: heContacts });

/** The texts of the blacklist. */
export const useBlacklistTexts = textsOfPages({ en: enBlacklist, he: heBlacklist });
