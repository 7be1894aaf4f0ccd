// Runs before the first paint, so that no page flashes in the wrong colours or direction (src/i18n/languages.ts has the keys).
{
  const root = document.documentElement;
  const language = localStorage.getItem('carillon-language') ?? navigator.language.slice(0, 2);
  if (language === 'he' || language === 'iw') {
    root.lang = 'he';
    root.dir = 'rtl';
  }
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.mantineColorScheme = chosen === 'auto' ? (dark ? 'dark' : 'light') : chosen;
}
