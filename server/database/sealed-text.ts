/*
 * Texts that stand encrypted in the columns of texts (secrets/text-seal.ts). They begin with a character that no other text in
 * the database begins with: what callers give is written with another one in its place (values.ts). A row that is read has the
 * text itself, so that no reader has to know which texts are sealed.
 */

/** What a sealed text begins with. */
export const SEALED = '\u0001';
/** What a text of somebody begins with that began with that character. */
const REPLACED = '\ufffd';

/** A text that was sealed; only these are written with SEALED in front. */
export class SealedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Opens what stands behind SEALED; undefined when it cannot. */
type Opener = (sealed: string) => string | undefined;

const openers = new Set<Opener>();

/** Opens texts of rows with this from now on, beside other openers; what is returned ends that. */
export function addTextOpener(open: Opener): () => void {
  openers.add(open);
  return () => void openers.delete(open);
}

/** A text as it is read: opened when it is sealed. One that nobody can open, since its key is lost, is empty. */
export function openedText(text: string): string {
  if (text.charCodeAt(0) !== 1) return text;
  for (const open of openers) {
    const opened = open(text.slice(1));
    if (opened !== undefined) return opened;
  }
  return '';
}

/** A text of somebody as it is written: never with SEALED in front. */
export const harmlessText = (text: string): string =>
  text.charCodeAt(0) === 1 ? REPLACED + text.slice(1) : text;

/** A text as it stands within a value of JSON, where nothing opens it: readers do (`openedText`). */
export const nestedText = (text: string | SealedText): string =>
  typeof text === 'string' ? harmlessText(text) : text.text;
