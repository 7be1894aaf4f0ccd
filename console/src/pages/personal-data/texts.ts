import { personalData as en } from '../../i18n/en/personal-data.ts';
import { personalData as he } from '../../i18n/he/personal-data.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const usePersonalDataTexts = textsOfPages({ en, he });
