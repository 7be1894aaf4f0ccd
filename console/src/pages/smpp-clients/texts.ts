import { textsOfPages } from '../../i18n/use-texts.tsx';
import { smppClients as en } from './texts.en.ts';
import { smppClients as he } from './texts.he.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useSmppTexts = textsOfPages({ en, he });
