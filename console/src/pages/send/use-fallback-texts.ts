import { textsOfPages } from '../../i18n/use-texts.tsx';
import { fallback as en } from './fallback-texts.en.ts';
import { fallback as he } from './fallback-texts.he.ts';

/** Texts of the second message that a send may have, loaded with its fields. */
export const useFallbackTexts = textsOfPages({ en, he });
