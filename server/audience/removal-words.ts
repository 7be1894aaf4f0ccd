/** Whether an incoming text asks to be removed (setting REMOVAL_WORDS). */
export type AsksRemoval = (text: string) => boolean;

// Marks of direction that telephones put around Hebrew and Arabic, vowel signs and tatweel, and what people put
// around a word.
const unseen = /[\p{Cf}\p{Mn}\u0640]/gu;
const around = /[\s\p{P}\p{S}]/u;

/** The form in which words are compared: without case, marks, punctuation around and repeated spaces. */
function fold(text: string): string {
  const characters = [...text.normalize('NFKC').replace(unseen, '')];
  const isWord = (character: string) => !around.test(character);
  const from = characters.findIndex(isWord);
  if (from < 0) return '';
  const word = characters.slice(from, characters.findLastIndex(isWord) + 1);
  return word.join('').replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Reads the setting: words with commas between. A text asks for removal when the whole of it is one of them; a word
 * within a sentence is not enough ("don't stop").
 */
export function createRemovalWords(setting: string): AsksRemoval {
  const words = new Set(setting.split(',').map(fold).filter(Boolean));
  const longest = Math.max(0, ...Array.from(words, (word) => word.length));
  // A long message is not folded in vain; five times leaves room for signs around the word.
  return (text) => text.length <= 5 * longest + 20 && words.has(fold(text));
}
