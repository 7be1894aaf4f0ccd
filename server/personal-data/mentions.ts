import type { DataSubject } from './subject.ts';

/*
 * A person in a text that somebody else has written, or in JSON: a number in any spelling, an address or an id. A number is
 * meant only as a whole: 972501234567 stands neither in 9725012345678 nor in 1972501234567.
 */

/** What may stand between the digits of a number. */
const isSeparator = (code: number) =>
  code === 0x20 || code === 0x2d || code === 0x28 || code === 0x29 || code === 0x2e || code === 0x2f;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const PLUS = 0x2b;
/** More separators than this in a row end a number. */
const MAX_SEPARATORS = 3;
/** Digits of a number at home that every spelling of it ends with. */
const MIN_DIGITS = 6;
/** In SQL: what `translate` takes away before a text is searched for the last digits of a number. */
export const SEPARATORS = ' -().+/';

/** How a number of the home country is written there. */
const homeSpelling = (digits: string, homeCode: string) =>
  digits.startsWith(homeCode) ? `0${digits.slice(homeCode.length)}` : undefined;

/** Finds and replaces what names a person. */
export class Mentions {
  /** The spellings of each number without separators, with the number. */
  readonly #numbers = new Map<string, string>();
  readonly #words: readonly string[];
  readonly #patterns: readonly string[];

  /** @param homeCode the calling code of the home country */
  constructor(subject: DataSubject, homeCode: string) {
    for (const phone of subject.phones) {
      const local = homeSpelling(phone, homeCode);
      for (const spelling of [phone, `00${phone}`, local, local && `${homeCode}${local}`]) {
        if (spelling !== undefined) this.#numbers.set(spelling, phone);
      }
    }
    this.#words = [...subject.addresses, ...subject.chatIds];
    this.#patterns = [
      ...subject.phones.map((phone) => {
        const core = phone.startsWith(homeCode) ? phone.slice(homeCode.length) : phone;
        return `%${core.length < MIN_DIGITS ? phone : core}%`;
      }),
      ...this.#words.map((word) => `%${escapeLike(word.toLowerCase().replaceAll(/[ \-().+/]/g, ''))}%`),
    ];
  }

  /** Patterns for LIKE: what has none of them in small letters, and without SEPARATORS, does not name the person. */
  get patterns(): readonly string[] {
    return this.#patterns;
  }

  /** Whether a text names the person. */
  in(text: string): boolean {
    return this.replace(text, () => '') !== text;
  }

  /** The text with `by` in place of each number, address or id of the person. Linear time. */
  replace(text: string, by: (identifier: string) => string): string {
    return this.#replaceWords(this.#replaceNumbers(text, by), by);
  }

  #replaceNumbers(text: string, by: (identifier: string) => string): string {
    if (this.#numbers.size === 0) return text;
    let done = '';
    let copied = 0;
    for (let at = 0; at < text.length; ) {
      if (!isDigit(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const run = readRun(text, at);
      const found = this.#findIn(run);
      if (found) {
        const from = found.from > 0 && text.charCodeAt(found.from - 1) === PLUS ? found.from - 1 : found.from;
        done += text.slice(copied, from) + by(found.phone);
        copied = found.to;
        at = found.to;
      } else at = run.groups[0]!.to;
    }
    return done + text.slice(copied);
  }

  /**
   * A number of the person in a run of digits and separators: the whole run, or groups of it that stand between separators
   * ("2 050-123-4567").
   */
  #findIn({ groups }: Run): { phone: string; from: number; to: number } | undefined {
    for (let first = 0; first < groups.length; first++) {
      let digits = '';
      for (let last = first; last < groups.length && digits.length < 24; last++) {
        digits += groups[last]!.digits;
        const phone = this.#numbers.get(digits);
        if (phone !== undefined) return { phone, from: groups[first]!.from, to: groups[last]!.to };
      }
    }
    return undefined;
  }

  #replaceWords(text: string, by: (identifier: string) => string): string {
    let result = text;
    for (const word of this.#words) {
      const lower = result.toLowerCase();
      // Capitals that are longer than their small letters would move the places.
      if (lower.length !== result.length) {
        result = result.replaceAll(word, by(word));
        continue;
      }
      const wanted = word.toLowerCase();
      let done = '';
      let copied = 0;
      for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
        if (isPartOfWord(lower, at, wanted.length)) continue;
        done += result.slice(copied, at) + by(word);
        copied = at + wanted.length;
      }
      result = done + result.slice(copied);
    }
    return result;
  }
}

interface Group {
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

interface Run {
  readonly groups: readonly Group[];
}

/** Most groups of a run that are looked at together: a number has four or five. */
const MAX_GROUPS = 16;

/** Groups of digits with a few separators between them, from the digit at `start`. */
function readRun(text: string, start: number): Run {
  const groups: Group[] = [];
  let at = start;
  while (groups.length < MAX_GROUPS) {
    const from = at;
    while (at < text.length && isDigit(text.charCodeAt(at))) at++;
    groups.push({ digits: text.slice(from, at), from, to: at });
    let next = at;
    while (next < text.length && next - at < MAX_SEPARATORS && isSeparator(text.charCodeAt(next))) next++;
    if (!isDigit(text.charCodeAt(next))) return { groups };
    at = next;
  }
  return { groups };
}

/** Whether what was found is a part of a longer address or id. */
function isPartOfWord(text: string, at: number, length: number): boolean {
  return isWordPart(text.charCodeAt(at - 1)) || isWordPart(text.charCodeAt(at + length));
}

/** A sentence may end with a full stop after an address; before one it would be another address. */
const isWordPart = (code: number) =>
  isDigit(code) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d || code === 0x2b;

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * JSON with `by` in place of each number, address or id of the person, in its texts, numbers and names of fields. A text that
 * is no JSON is replaced as it is.
 */
export function replaceInJson(json: string, mentions: Mentions, by: (identifier: string) => string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return mentions.replace(json, by);
  }
  return JSON.stringify(replaceIn(value, mentions, by));
}

/** As `replaceInJson`, of a value. */
export function replaceIn(value: unknown, mentions: Mentions, by: (identifier: string) => string): unknown {
  if (typeof value === 'string') return mentions.replace(value, by);
  if (typeof value === 'number') {
    const text = String(value);
    const replaced = mentions.replace(text, by);
    return replaced === text ? value : replaced;
  }
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, mentions, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [mentions.replace(name, by), replaceIn(one, mentions, by)]),
  );
}
