import { standing as en } from '../../i18n/en/standing.ts';
import { standing as he } from '../../i18n/he/standing.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

export type StandingTexts = typeof en;

/** Texts of ratings and restrictions, fetched with the pages that show them: the first load is limited. */
export const useStandingTexts = textsOfPages({ en, he });
