import { textsOfPages } from '../../i18n/use-texts.tsx';
import { standing as en } from './standing-texts.en.ts';
import { standing as he } from './standing-texts.he.ts';

export type StandingTexts = typeof en;

/** Texts of ratings and restrictions, fetched with the pages that show them: the first load is limited. */
export const useStandingTexts = textsOfPages({ en, he });
