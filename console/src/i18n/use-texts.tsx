import { createContext, type ReactNode, useContext } from 'react';
import type { Dictionary } from './en.ts';
import type { Language } from './languages.ts';

interface Texts {
  readonly language: Language;
  readonly dictionary: Dictionary;
}

const Context = createContext<Texts | undefined>(undefined);

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
