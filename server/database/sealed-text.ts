/*
 * Encrypted texts in text columns (secrets/text-seal.ts). They begin with a character with which no other text in the
 * database begins: in callers' texts it is replaced (values.ts). Reading a row decrypts the text, so that readers need
 * not know which texts are encrypted.
 */

/** First character of an encrypted text. */
export const SEALED = '\u0001';
/** Replacement for that character at the beginning of a caller's text. */
const REPLACED = '\ufffd';

/** An encrypted text; only these are written with the prefix SEALED. */
export class SealedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Decrypts the part after SEALED; undefined when that is impossible. */
type Opener = (sealed: string) => string | undefined;

const openers = new Set<Opener>();

/** Adds a function that decrypts texts of rows, in addition to others. Returns a function that removes it. */
export function addTextOpener(open: Opener): () => void {
  openers.add(open);
  return () => void openers.delete(open);
}

/** Returns a text as it is read: decrypted if it is encrypted, empty if its key is lost. */
export function openedText(text: string): string {
  if (text.charCodeAt(0) !== 1) return text;
  for (const open of openers) {
    const opened = open(text.slice(1));
    if (opened !== undefined) return opened;
  }
  return '';
}

/** Returns a caller's text as it is written: never with the prefix SEALED. */
export const harmlessText = (text: string): string =>
  text.charCodeAt(0) === 1 ? REPLACED + text.slice(1) : text;

/** Returns a text as it is written to a column; undefined for NULL. */
export const columnText = (text: string | SealedText | null | undefined): string | undefined =>
  typeof text === 'string' ? harmlessText(text) : text?.text;

/** Returns a text for use inside a JSON value, where it is not decrypted automatically: readers call `openedText`. */
export const nestedText = (text: string | SealedText): string =>
  typeof text === 'string' ? harmlessText(text) : text.text;
