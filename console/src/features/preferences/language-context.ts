import { createContext, useContext } from 'react';
import type { Language } from '../../i18n/languages.ts';

/** Changes the language, here and for the next visit. */
export const LanguageContext = createContext<(language: Language) => void>(() => {});

export function useChooseLanguage(): (language: Language) => void {
  return useContext(LanguageContext);
}
