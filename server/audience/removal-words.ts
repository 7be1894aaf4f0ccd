import { folded } from '../text/folded.ts';

/** Whether an incoming text asks to be removed (setting REMOVAL_WORDS). */
export type AsksRemoval = (text: string) => boolean;

/**
 * Reads the setting: words with commas between. A text asks for removal when the whole of it is one of them; a word
 * within a sentence is not enough ("don't stop").
 */
export function createRemovalWords(setting: string): AsksRemoval {
  const words = new Set(setting.split(',').map(folded).filter(Boolean));
  const longest = Math.max(0, ...Array.from(words, (word) => word.length));
  // A long message is not folded in vain; five times leaves room for signs around the word.
  return (text) => text.length <= 5 * longest + 20 && words.has(folded(text));
}
