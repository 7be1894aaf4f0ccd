import { JsonError } from './json-scanner.ts';
import type { JsonNode } from './parse-json.ts';

/**
 * Refuses what PostgreSQL cannot store (NUL) and what has no UTF-8 form (half of a surrogate pair), in keys and texts of
 * an object or array (not below it). Throws JsonError.
 */
export function checkTexts(node: JsonNode, hasEscapes: boolean): void {
  // UTF-8 and the JSON grammar leave escapes as the only way for either.
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

/** As `checkTexts`, and refuses keys that could change a prototype when the object is copied. Throws JsonError. */
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

/** Trims the texts of an object or array in place and drops keys named `__proto__`. Throws JsonError as `checkTexts`. */
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
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new JsonError('holds NUL or half of a surrogate pair');
  }
}
