import { textsOfPages } from '../../i18n/use-texts.tsx';
import { lookup as en } from './lookup-texts.en.ts';
import { lookup as he } from './lookup-texts.he.ts';

/** The texts of the number look-up, which are fetched with its page. */
export const useLookupTexts = textsOfPages({ en, he });
