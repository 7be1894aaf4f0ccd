/** Languages in which people are spoken to: pages, and what is appended to messages. */
export const languages = ['he', 'en', 'ar', 'ru'] as const;
export type Language = (typeof languages)[number];

const addresses = /(?:https?:\/\/|www\.)\S+|\[link-[^[\]]*\]|\[DYNAMIC_FIELD\d\]/gi;

/** Characters that tell the language: more of them do not make it surer. */
const MAX_LOOKED_AT = 10_000;
const scripts: readonly (readonly [Language, RegExp])[] = [
  ['he', /\p{Script=Hebrew}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['en', /\p{Script=Latin}/gu],
];

/**
 * The language of a text by the script of most of its first letters, addresses and placeholders left out: Hebrew, Arabic,
 * Russian for Cyrillic, English for Latin and for a text without letters.
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
