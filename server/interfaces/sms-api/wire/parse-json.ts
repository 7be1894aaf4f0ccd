import { maxDepth } from './limits.ts';
import { WireError } from './wire-error.ts';

/**
 * Reads a JSON object with one key, the operation, whose value is an object. Texts are trimmed in place.
 *
 * Keys named `__proto__` are dropped at every level: no operation has one, and a copy of such an object
 * (`Object.assign`) would take it for a prototype.
 *
 * @throws {WireError}
 */
export function parseJson(text: string): { root: string; content: Record<string, unknown> } {
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold message texts and passwords.
    throw new WireError('unparseable', 'json', 'The body is not valid JSON');
  }
  // UTF-8 and the JSON grammar leave escapes as the only way for NUL and lone surrogates.
  normalise(document, text.includes('\\u'), 1);
  const [root, ...others] = Object.keys(document);
  if (root === undefined) throw new WireError('root', 'json', 'The body names no operation');
  if (others.length > 0) throw new WireError('root', 'json', 'The body names more than one operation');
  const content = document[root];
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new WireError('root', 'json', 'The value of the root key must be an object');
  }
  return { root, content: content as Record<string, unknown> };
}

/** Trims every text below `node` and checks texts, keys and depth; one pass, no copy. */
function normalise(node: Record<string, unknown> | unknown[], hasEscapes: boolean, depth: number): void {
  if (depth > maxDepth) {
    throw new WireError('unparseable', 'json', `The body is nested over ${maxDepth} levels deep`);
  }
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) {
      const value = node[i];
      if (typeof value === 'string') node[i] = readString(value, hasEscapes);
      else if (typeof value === 'object' && value !== null) {
        normalise(value as Record<string, unknown>, hasEscapes, depth + 1);
      }
    }
    return;
  }
  for (const key of Object.keys(node)) {
    if (key === '__proto__') {
      delete node[key];
      continue;
    }
    if (hasEscapes) checkCharacters(key);
    const value = node[key];
    if (typeof value === 'string') {
      const trimmed = readString(value, hasEscapes);
      if (trimmed !== value) node[key] = trimmed;
    } else if (typeof value === 'object' && value !== null) {
      normalise(value as Record<string, unknown>, hasEscapes, depth + 1);
    }
  }
}

function readString(value: string, hasEscapes: boolean): string {
  if (hasEscapes) checkCharacters(value);
  return value.trim();
}

/** PostgreSQL keeps no NUL in text, and a lone surrogate has no UTF-8 form. */
function checkCharacters(value: string): void {
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new WireError('unparseable', 'json', 'The body holds NUL or half of a surrogate pair');
  }
}
