/** Name of a platform language (`pt_BR`) in a language of the console; `fallback` for an unknown one. */
export function languageName(code: string, language: string, fallback = code): string {
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' });
  return names.of(code.replace('_', '-')) ?? fallback;
}
