import { subscribers as en } from '../../i18n/en/subscribers.ts';
import { subscribers as he } from '../../i18n/he/subscribers.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useSubscriberTexts = textsOfPages({ en, he });
