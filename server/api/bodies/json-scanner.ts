import { MAX_DEPTH, MAX_JSON_TEXT, MAX_JSON_VALUES } from './limits.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** A body that is not JSON within the limits. `message` says why, continues "the body", and contains no text of it. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** A text of a body that cannot be stored. `field` is its path, like `phones[3].name`; '' without a path. */
export class BadText extends JsonError {
  readonly field: string;

  constructor(field = '') {
    super('holds NUL or half of a surrogate pair');
    this.field = field;
  }
}

export const notJson = () => new JsonError('is not valid JSON');
export const tooDeep = () => new JsonError(`is nested over ${MAX_DEPTH} levels deep`);
const tooLong = () => new JsonError(`has a text or number of over ${MAX_JSON_TEXT} characters`);

/**
 * Finds the end of a JSON value without parsing it, in steps. It knows only strings and brackets; `JSON.parse` checks
 * the rest of the grammar.
 */
export class JsonScanner {
  readonly #text: string;
  /** Position of the scan. */
  at: number;
  /** Number of values passed. */
  #values = 0;

  constructor(text: string) {
    this.#text = text;
    this.at = 0;
  }

  /** Skips up to `length` characters of white space. Returns whether it reached another character, or the end. */
  passWhiteSpace(length: number): boolean {
    const text = this.#text;
    for (const most = this.at + length; this.at < most; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return true;
    }
    return false;
  }

  /** Skips a string that begins at the current position. Throws JsonError if the string has no end. */
  passString(): void {
    const text = this.#text;
    const quote = text.indexOf('"', this.at + 1);
    if (quote < 0) throw notJson();
    if (quote - this.at > MAX_JSON_TEXT) throw tooLong();
    if (text.charCodeAt(quote - 1) !== BACKSLASH) {
      this.at = quote + 1;
      return;
    }
    // Character by character takes 20 ms for 10 MiB; searching for the next quote after each escaped one takes 200 ms.
    const most = Math.min(text.length, this.at + MAX_JSON_TEXT);
    for (let at = this.at + 1; at < most; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return;
      }
      if (code === BACKSLASH) at++;
    }
    throw most < text.length ? tooLong() : notJson();
  }

  /**
   * Skips members of the current container: as many whole ones as fit into `length` characters, and at least one. Stops
   * after them, at a comma or at the closing bracket of the container; or, before a member that is a container longer
   * than `length`, at its opening bracket.
   *
   * @param depth levels around the members
   * @returns `end` of the whole members; `isLarge` if the scan stopped before a long member
   */
  passMembers(length: number, depth: number): { end: number; isLarge: boolean } {
    const text = this.#text;
    const start = this.at;
    let end = start;
    let open = 0;
    /** Start of the current member's container, and the number of values counted before it. */
    let container = -1;
    let counted = 0;
    for (;;) {
      if (open > 0 && this.at - start > length) {
        this.at = container;
        this.#values = counted;
        return { end, isLarge: true };
      }
      if (this.at - end > MAX_JSON_TEXT) throw tooLong();
      const code = text.charCodeAt(this.at);
      switch (code) {
        case QUOTE:
          this.passString();
          continue;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          if (open === 0) {
            container = this.at;
            counted = this.#values;
          }
          open++;
          this.#count();
          if (depth + open > MAX_DEPTH) throw tooDeep();
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          if (open === 0) return { end: this.at, isLarge: false };
          open--;
          break;
        case COMMA:
          this.#count();
          if (open === 0) {
            end = this.at;
            if (end - start >= length) return { end, isLarge: false };
          }
          break;
        default:
          if (Number.isNaN(code)) throw notJson();
      }
      this.at++;
    }
  }

  /** Counts a member, by its comma or its container's bracket. */
  #count(): void {
    if (++this.#values > MAX_JSON_VALUES) throw new JsonError(`has more than ${MAX_JSON_VALUES} values`);
  }
}
