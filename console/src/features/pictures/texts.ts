import { textsOfPages } from '../../i18n/use-texts.tsx';
import { pictures as en } from './texts.en.ts';
import { pictures as he } from './texts.he.ts';

/** The texts of uploaded pictures, which are fetched with the pages that use them. */
export const usePictureTexts = textsOfPages({ en, he });
