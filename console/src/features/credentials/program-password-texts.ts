import { textsOfPages } from '../../i18n/use-texts.tsx';
import { programPassword as en } from './program-password-texts.en.ts';
import { programPassword as he } from './program-password-texts.he.ts';

/** The texts of the form, fetched with the pages that have it: the first load is limited. */
export const useProgramPasswordTexts = textsOfPages({ en, he });
