/*
 * Formatters, each made once: a table of 50 messages took 58 ms to make one for each time, on a machine on which Node.js starts
 * with 0.09 s of CPU.
 */

const kept = new Map<string, unknown>();

function keep<Formatter>(kind: string, locale: string, options: object, make: () => Formatter): Formatter {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`;
  const known = kept.get(key) as Formatter | undefined;
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

/** Returns the formatter of times of a locale. `options` has the time zone. */
export const timeFormat = (
  locale: string,
  options: Intl.DateTimeFormatOptions & { readonly timeZone: string },
): Intl.DateTimeFormat => keep('time', locale, options, () => new Intl.DateTimeFormat(locale, options));

/** Returns the formatter of numbers of a locale. */
export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  keep('number', locale, options, () => new Intl.NumberFormat(locale, options));
