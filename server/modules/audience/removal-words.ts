import { folded } from '../../kit/text/folded.ts';

/** Whether an incoming text asks to be removed (setting REMOVAL_WORDS). */
export type AsksRemoval = (text: string) => boolean;

/**
 * Parses the setting: words separated by commas. A text asks for removal only if the whole text is one of them, because
 * a word within a sentence can mean the opposite ("don't stop").
 */
export function createRemovalWords(setting: string): AsksRemoval {
  const words = new Set(setting.split(',').map(folded).filter(Boolean));
  const longest = Math.max(0, ...Array.from(words, (word) => word.length));
  // Skips long messages, which cannot match; the factor of five leaves room for punctuation around the word.
  return (text) => text.length <= 5 * longest + 20 && words.has(folded(text));
}
