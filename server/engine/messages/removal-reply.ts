import { type Language, languageOf } from '../../kit/text/language.ts';

const texts: Readonly<Record<Language, (word: string) => string>> = {
  he: (word) => `\nלהסרה השיבו ${word}`,
  en: (word) => `\nReply ${word.toUpperCase()} to unsubscribe`,
  ar: (word) => `\nلإلغاء الاشتراك أرسل ${word}`,
  ru: (word) => `\nДля отписки ответьте ${word}`,
};

/**
 * Returns the text that is appended for removal by reply (interface, B1 `add_unsubscribe` 2). `word` is the word to
 * reply.
 */
export function removalReply(language: Language, word: string): string {
  return texts[language](word);
}

/**
 * Returns the removal word of each language: the first of that language in the setting REMOVAL_WORDS, or the first of
 * all.
 */
export function removalWordOf(setting: string): (language: Language) => string {
  const words = setting
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  const found = new Map(words.map((word) => [languageOf(word), word] as const).reverse());
  return (language) => found.get(language) ?? words[0]!;
}
