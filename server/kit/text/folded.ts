// Direction marks that phones put around Hebrew and Arabic, vowel signs and tatweel; and characters that people put
// around a word.
const unseen = /[\p{Cf}\p{Mn}\u0640]/gu;
const around = /[\s\p{P}\p{S}]/u;

/** Returns the form in which words are compared: without case, marks, surrounding punctuation and repeated spaces. */
export function folded(text: string): string {
  const characters = [...text.normalize('NFKC').replace(unseen, '')];
  const isWord = (character: string) => !around.test(character);
  const from = characters.findIndex(isWord);
  if (from < 0) return '';
  const word = characters.slice(from, characters.findLastIndex(isWord) + 1);
  return word.join('').replace(/\s+/g, ' ').toLowerCase();
}
