/** Languages of pages and of texts appended to messages. */
export const languages = ['he', 'en', 'ar', 'ru'] as const;
export type Language = (typeof languages)[number];

const addresses = /(?:https?:\/\/|www\.)\S+|\[link-[^[\]]*\]|\[DYNAMIC_FIELD\d\]/gi;

/** Characters to examine for the language; more do not improve the result. */
const MAX_LOOKED_AT = 10_000;
const scripts: readonly (readonly [Language, RegExp])[] = [
  ['he', /\p{Script=Hebrew}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['en', /\p{Script=Latin}/gu],
];

/**
 * Returns the language of a text by the most frequent script among its first letters, without addresses and
 * placeholders: Hebrew, Arabic, Russian for Cyrillic, English for Latin and for a text without letters.
 */
export function languageOf(text: string): Language {
  const words = text.slice(0, MAX_LOOKED_AT).replace(addresses, '');
  let language: Language = 'en';
  let most = 0;
  for (const [candidate, script] of scripts) {
    const count = words.match(script)?.length ?? 0;
    if (count > most) {
      language = candidate;
      most = count;
    }
  }
  return language;
}
