import { textsOfPages } from '../../i18n/use-texts.tsx';
import { composer as en } from './composer-texts.en.ts';
import { composer as he } from './composer-texts.he.ts';

/** Texts of the composer that load with it. */
export const useComposerTexts = textsOfPages({ en, he });
