import { BadText, JsonError } from './json-scanner.ts';

/** An object or array from `JSON.parse`. */
export type JsonNode = Record<string, unknown> | unknown[];

/**
 * Refuses NUL, which PostgreSQL cannot store, and unpaired surrogates, which UTF-8 cannot encode, in keys and texts of
 * an object or array (not in nested ones). Throws BadText.
 */
export function checkTexts(node: JsonNode, hasEscapes: boolean): void {
  // In UTF-8 JSON both can occur only as escapes.
  if (!hasEscapes) return;
  if (Array.isArray(node)) {
    for (const value of node) if (typeof value === 'string') checkText(value);
    return;
  }
  for (const key in node) {
    checkText(key);
    const value = node[key];
    if (typeof value === 'string') checkText(value);
  }
}

/** As `checkTexts`; also refuses keys that could change a prototype when the object is copied. Throws JsonError. */
export function checkStrictly(node: JsonNode, hasEscapes: boolean): void {
  checkTexts(node, hasEscapes);
  if (Array.isArray(node)) return;
  if (Object.hasOwn(node, '__proto__')) throw new JsonError('has the key __proto__');
  if (!Object.hasOwn(node, 'constructor')) return;
  const value = node.constructor as unknown;
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')) {
    throw new JsonError('has the key constructor.prototype');
  }
}

/**
 * Trims the texts of an object or array in place and drops keys named `__proto__`. Throws JsonError as `checkTexts`
 * does.
 */
export function trimTexts(node: JsonNode, hasEscapes: boolean): void {
  checkTexts(node, hasEscapes);
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) {
      const value = node[i];
      if (typeof value === 'string') node[i] = value.trim();
    }
    return;
  }
  for (const key in node) {
    if (key === '__proto__') {
      delete node[key];
      continue;
    }
    const value = node[key];
    if (typeof value !== 'string') continue;
    const trimmed = value.trim();
    if (trimmed !== value) node[key] = trimmed;
  }
}

function checkText(value: string): void {
  if (isBad(value)) throw new BadText();
}

const isBad = (text: string) => text.includes('\0') || !text.isWellFormed();

/** A JSON key that a response may repeat. */
const plainKey = /^[a-z]\w{0,49}$/i;

/**
 * Returns the path of the first text that `checkTexts` refuses in an object or array, nested ones included; undefined
 * if all are valid. A key that is not a plain word is not named: the path then ends at its object.
 *
 * @param path that of `node`; '' for a whole body
 * @param from index of the first element of an array
 */
export function pathOfBadText(node: JsonNode, path: string, from = 0): string | undefined {
  const isArray = Array.isArray(node);
  const pathOf = (key: string) => (isArray ? elementPath(path, Number(key) + from) : memberPath(path, key));
  // In the order in which bodies are cleaned, so that this finds the same text.
  for (const [key, value] of Object.entries(node)) {
    if (isBad(key)) return path;
    if (typeof value === 'string' && isBad(value)) return pathOf(key);
  }
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const found = pathOfBadText(value as JsonNode, pathOf(key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the path of an array element. Elements of an array that is the whole body have no path. */
export const elementPath = (path: string, index: number): string => (path === '' ? '' : `${path}[${index}]`);

/** Returns the path of a member. */
export function memberPath(path: string, key: string): string {
  if (!plainKey.test(key)) return path;
  return path === '' ? key : `${path}.${key}`;
}
