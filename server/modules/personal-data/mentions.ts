import type { DataSubject } from './subject.ts';

/*
 * Mentions of a person in a text that somebody else has written, or in JSON: a number in any spelling, an address or an
 * id. A number matches only as a whole: 972501234567 is found neither in 9725012345678 nor in 1972501234567.
 */

/** Whether a character may separate the digits of a number. */
const isSeparator = (code: number) =>
  code === 0x20 || code === 0x2d || code === 0x28 || code === 0x29 || code === 0x2e || code === 0x2f;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const PLUS = 0x2b;
/** More separators than this in a row end a number. */
const MAX_SEPARATORS = 3;
/** Number of digits of a home number that all its spellings end with. */
const MIN_DIGITS = 6;
/** For SQL: characters that `translate` removes before a text is searched for the last digits of a number. */
export const SEPARATORS = ' -().+/';

/** Returns the local spelling of a number of the home country. */
const homeSpelling = (digits: string, homeCode: string) =>
  digits.startsWith(homeCode) ? `0${digits.slice(homeCode.length)}` : undefined;

/** Finds and replaces identifiers of a person. */
export class Mentions {
  /** Spellings of each number without separators, with the number. */
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

  /**
   * Patterns for LIKE. A text that matches none of them, in lower case and without SEPARATORS, does not name the
   * person.
   */
  get patterns(): readonly string[] {
    return this.#patterns;
  }

  /** Whether a text names the person. */
  in(text: string): boolean {
    return this.replace(text, () => '') !== text;
  }

  /** Replaces each number, address or id of the person with `by`. Linear time. */
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
   * Finds a number of the person in a run of digits and separators: the whole run, or groups between separators ("2
   * 050-123-4567").
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
      // Some capitals are longer than their lower-case form, which would shift positions.
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

/** Maximum groups of a run to combine: a number has four or five. */
const MAX_GROUPS = 16;

/** Reads groups of digits with a few separators between them, from the digit at `start`. */
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

/** Whether a match is part of a longer address or id. */
function isPartOfWord(text: string, at: number, length: number): boolean {
  return isWordPart(text.charCodeAt(at - 1)) || isWordPart(text.charCodeAt(at + length));
}

/** A full stop may follow an address at the end of a sentence; before an address it would be part of another one. */
const isWordPart = (code: number) =>
  isDigit(code) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d || code === 0x2b;

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Replaces each number, address or id of the person in the texts, numbers and field names of a JSON text. A text that
 * is not JSON is replaced as plain text.
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

/** As `replaceInJson`, for a parsed value. */
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
