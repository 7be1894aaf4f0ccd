/** What a language of the platform (`pt_BR`) is called in a language of the console; `fallback` where nobody knows. */
export function languageName(code: string, language: string, fallback = code): string {
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' });
  return names.of(code.replace('_', '-')) ?? fallback;
}
