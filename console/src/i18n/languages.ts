/*
 * Languages of the console, and the storage keys of this browser's choice. public/before.js reads the same keys before the
 * first paint.
 */

export const languages = ['en', 'he'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', he: 'עברית' };

const LANGUAGE_KEY = 'carillon-language';

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'he' ? 'rtl' : 'ltr';
}

/** Locale for times and dates. */
export const localeOf = (language: string): string => (language === 'he' ? 'he-IL' : 'en-GB');

/** The language that was chosen here, else the browser's, else English. */
export function chosenLanguage(): Language {
  const name = localStorage.getItem(LANGUAGE_KEY) ?? navigator.language.slice(0, 2).replace('iw', 'he');
  return languages.find((one) => one === name) ?? 'en';
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_KEY, language);
}
