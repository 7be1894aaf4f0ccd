import { textsOfPages } from '../i18n/use-texts.tsx';
import { design as en } from './texts.en.ts';
import { design as he } from './texts.he.ts';

export const useDesignTexts = textsOfPages({ en, he });
