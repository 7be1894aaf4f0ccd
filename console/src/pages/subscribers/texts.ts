import { textsOfPages } from '../../i18n/use-texts.tsx';
import { subscribers as en } from './texts.en.ts';
import { subscribers as he } from './texts.he.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useSubscriberTexts = textsOfPages({ en, he });
