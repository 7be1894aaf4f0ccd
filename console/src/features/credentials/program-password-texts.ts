import { programPassword as en } from '../../i18n/en/program-password.ts';
import { programPassword as he } from '../../i18n/he/program-password.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of the form, fetched with the pages that have it: the first load is limited. */
export const useProgramPasswordTexts = textsOfPages({ en, he });
