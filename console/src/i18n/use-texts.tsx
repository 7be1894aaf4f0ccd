import { createContext, type ReactNode, useContext } from 'react';
import type { Dictionary } from './en.ts';
import type { Language } from './languages.ts';

interface Texts {
  readonly language: Language;
  readonly dictionary: Dictionary;
}

const Context = createContext<Texts | undefined>(undefined);

// One function per language: with a conditional between two imports, the bundler would load the chunks of both languages.
const dictionaries: Readonly<Record<Language, () => Promise<Dictionary>>> = {
  en: () => import('./en.ts'),
  he: () => import('./he.ts'),
};

/** Fetches the texts of one language. */
export function loadDictionary(language: Language): Promise<Dictionary> {
  return dictionaries[language]();
}

export function TextsProvider({ children, ...texts }: Texts & { readonly children: ReactNode }) {
  return <Context value={texts}>{children}</Context>;
}

function useContextTexts(): Texts {
  const texts = useContext(Context);
  if (!texts) throw new Error('there is no TextsProvider around this');
  return texts;
}

/** The texts of the chosen language: `useTexts().messages.title`. */
export function useTexts(): Dictionary {
  return useContextTexts().dictionary;
}

export function useLanguage(): Language {
  return useContextTexts().language;
}

/**
 * A hook that returns texts in the chosen language. These texts load with the pages that import them, because few people
 * open them and the size of the first load is limited.
 */
export const textsOfPages =
  <T,>(texts: Readonly<Record<Language, T>>) =>
  (): T =>
    texts[useLanguage()];
