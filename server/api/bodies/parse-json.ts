import { TimeSlice } from '../../kit/time-slices.ts';
import { elementPath, type JsonNode, memberPath, pathOfBadText } from './clean-json.ts';
import { BadText, JsonError, JsonScanner, notJson, tooDeep } from './json-scanner.ts';
import { MAX_DEPTH, MAX_DIFFERENT_NAMES, MAX_JSON_KEYS, MAX_UNSLICED_BODY } from './limits.ts';

export { BadText, JsonError } from './json-scanner.ts';

/**
 * Called for every object and array of a text, with its level `depth`. May change values and delete keys, and throws to
 * refuse the body.
 *
 * @param hasEscapes whether the text may contain `\u` escapes, the only source of NUL and unpaired surrogates
 */
export type CleanJson = (node: JsonNode, hasEscapes: boolean, depth: number) => void;

/** Characters per call of `JSON.parse`: 0.2 ms of ordinary JSON, 10 ms if all keys differ. */
const GROUP = 32 * 1024;

/**
 * Parses a JSON text. Up to 64 KiB in one piece; a longer one in slices (time-slices.ts): a scanner splits its large
 * containers, and `JSON.parse` gets groups of their members. Measured with 10 MiB of contacts: `JSON.parse` alone
 * blocks for 40 ms, the transfer of the result from a worker thread for 127 ms; this needs 150 ms in slices of 8.
 *
 * @throws {JsonError} for a text that is not JSON or beyond the limits of limits.ts; errors of `clean`, {BadText} with
 * the field
 */
export async function parseJson(text: string, clean: CleanJson): Promise<unknown> {
  if (text.length <= MAX_UNSLICED_BODY) return parseShortJson(text, clean);
  return new SlicedParser(text, clean).parse();
}

/** As `parseJson`, in one piece. */
export function parseShortJson(text: string, clean: CleanJson): unknown {
  const value = parseAtOnce(text);
  try {
    cleanAll(value, clean, text.includes('\\'), 1, undefined);
  } catch (error) {
    throw withField(error, value as JsonNode, '');
  }
  return value;
}

/** Adds the path to an error of `cleanAll`. It is computed only for errors, so that valid bodies cost nothing. */
function withField(error: unknown, node: JsonNode, path: string, from?: number): unknown {
  return error instanceof BadText ? new BadText(pathOfBadText(node, path, from)) : error;
}

function parseAtOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may contain message texts and passwords.
    throw notJson();
  }
}

/** `names` collects the keys of a long body. */
function cleanAll(
  value: unknown,
  clean: CleanJson,
  hasEscapes: boolean,
  depth: number,
  names: Set<string> | undefined,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  const node = value as JsonNode;
  clean(node, hasEscapes, depth);
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) cleanAll(node[i], clean, hasEscapes, depth + 1, names);
    return;
  }
  let keys = 0;
  for (const key in node) {
    if (++keys > MAX_JSON_KEYS) throw tooManyKeys();
    names?.add(key);
    cleanAll(node[key], clean, hasEscapes, depth + 1, names);
  }
}

const tooManyKeys = () => new JsonError(`has an object of more than ${MAX_JSON_KEYS} keys`);

/** The container being read: its level, its path, and the number of its keys so far. */
interface Inside {
  readonly depth: number;
  readonly path: string;
  readonly keys: { count: number };
}

class SlicedParser {
  readonly #text: string;
  readonly #scanner: JsonScanner;
  readonly #clean: CleanJson;
  readonly #hasEscapes: boolean;
  readonly #names = new Set<string>();
  readonly #slice = new TimeSlice();

  constructor(text: string, clean: CleanJson) {
    this.#text = text;
    this.#scanner = new JsonScanner(text);
    this.#clean = clean;
    // Not `\\u`, whose search takes 40 ns for each backslash.
    this.#hasEscapes = text.includes('\\');
  }

  async parse(): Promise<unknown> {
    await this.#passWhiteSpace();
    const first = this.#text[this.#scanner.at];
    // No API accepts a scalar, and it would be parsed in one piece.
    if (first !== '{' && first !== '[') throw notJson();
    const value = await this.#container(1, '');
    await this.#passWhiteSpace();
    if (this.#scanner.at < this.#text.length) throw notJson();
    return value;
  }

  /** 20 MiB of white space took 217 ms in one piece. */
  async #passWhiteSpace(): Promise<void> {
    while (!this.#scanner.passWhiteSpace(GROUP)) if (this.#slice.isOverNow) await this.#slice.rest();
  }

  /** Reads the container at the position of the scanner, and moves the scanner to its end. `path` is its path. */
  async #container(depth: number, path: string): Promise<JsonNode> {
    const scanner = this.#scanner;
    const text = this.#text;
    if (depth > MAX_DEPTH) throw tooDeep();
    const isArray = text[scanner.at] === '[';
    const into: JsonNode = isArray ? [] : {};
    const keys = { count: 0 };
    scanner.at++;
    for (let isFirst = true; ; isFirst = false) {
      const start = scanner.at;
      const { end, isLarge } = scanner.passMembers(GROUP, depth);
      if (this.#slice.isOverNow) await this.#slice.rest();
      if (isLarge) {
        if (end > start) this.#addGroup(text.slice(start, end), into, { depth, path, keys });
        const before = text.slice(end > start ? end + 1 : start, scanner.at);
        if (Array.isArray(into)) {
          if (before.trim() !== '') throw notJson();
          into.push(await this.#container(depth + 1, elementPath(path, into.length)));
        } else {
          const { key, isKept } = this.#keyOf(before, { depth, path, keys });
          const value = await this.#container(depth + 1, memberPath(path, key));
          if (isKept) define(into, key, value);
        }
        await this.#passWhiteSpace();
      } else {
        const piece = text.slice(start, end);
        const isEmpty = isFirst && text[end] !== ',' && piece.trim() === '';
        if (!isEmpty) this.#addGroup(piece, into, { depth, path, keys });
        scanner.at = end;
      }
      const separator = text[scanner.at++];
      if (separator === (isArray ? ']' : '}')) return into;
      if (separator !== ',') throw notJson();
    }
  }

  /** Reads whole members and adds them. Throws JsonError for a piece without members. */
  #addGroup(piece: string, into: JsonNode, { depth, path, keys }: Inside): void {
    const isArray = Array.isArray(into);
    const group = parseAtOnce(isArray ? `[${piece}]` : `{${piece}}`) as JsonNode;
    const members = Object.keys(group).length;
    if (members === 0) throw notJson();
    try {
      cleanAll(group, this.#clean, this.#hasEscapes, depth, this.#names);
    } catch (error) {
      throw withField(error, group, path, isArray ? into.length : 0);
    }
    if (this.#names.size > MAX_DIFFERENT_NAMES) {
      throw new JsonError(`has more than ${MAX_DIFFERENT_NAMES} different keys`);
    }
    if (isArray) {
      for (const value of group as unknown[]) into.push(value);
    } else {
      keys.count += members;
      if (keys.count > MAX_JSON_KEYS) throw tooManyKeys();
      // Like JSON.parse, this avoids an assignment, which would set a prototype.
      for (const [key, value] of Object.entries(group)) define(into, key, value);
    }
  }

  /**
   * Returns the key of a member that is read separately; `before` is the text before its value. `clean` may drop it.
   */
  #keyOf(before: string, { depth, path, keys }: Inside): { key: string; isKept: boolean } {
    const member = parseAtOnce(`{${before}0}`) as Record<string, unknown>;
    const [key, ...others] = Object.keys(member);
    if (key === undefined || others.length > 0) throw notJson();
    if (++keys.count > MAX_JSON_KEYS) throw tooManyKeys();
    try {
      this.#clean(member, this.#hasEscapes, depth);
    } catch (error) {
      throw withField(error, member, path);
    }
    return { key, isKept: Object.hasOwn(member, key) };
  }
}

function define(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') into[key] = value;
  else Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
}
