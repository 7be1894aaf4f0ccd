import { reference as en } from '../../i18n/en/reference.ts';
import { reference as he } from '../../i18n/he/reference.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

export type ReferenceTexts = typeof en;

/** The texts of the API reference, fetched with its pages: the first load is limited. */
export const useReferenceTexts = textsOfPages<ReferenceTexts>({ en, he });
