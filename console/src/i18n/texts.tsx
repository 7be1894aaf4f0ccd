import { createContext, type ReactNode, useContext } from 'react';
import type { Dictionary } from './en.ts';
import type { Language } from './languages.ts';

interface Texts {
  readonly language: Language;
  readonly dictionary: Dictionary;
}

const Context = createContext<Texts | undefined>(undefined);

/** Fetches the texts of one language. */
export async function loadDictionary(language: Language): Promise<Dictionary> {
  return language === 'he' ? import('./he.ts') : import('./en.ts');
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
