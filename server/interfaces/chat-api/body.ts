import { isUtf8 } from 'node:buffer';
import { maxDepth } from '../sms-api/wire/limits.ts';

/** A body, at most, in bytes; as in the SMS family (decisions, "Size"). */
export const BODY_MOST = 10 * 1024 * 1024;

/** A body that is not JSON, or holds what cannot be stored. The message never holds text of the body. */
export class Unreadable extends Error {
  readonly http: 400 | 413;

  constructor(message: string, http: 400 | 413 = 400) {
    super(message);
    this.http = http;
  }
}

/**
 * Reads a body as a JSON object; what is JSON and no object has no fields. Nothing is trimmed: callers get back what
 * they sent. Throws Unreadable.
 */
export function readBody(body: Buffer | undefined): Readonly<Record<string, unknown>> {
  if (!body || body.length === 0) throw new Unreadable('the body is empty');
  if (!isUtf8(body)) throw new Unreadable('the body is not valid UTF-8');
  const document = parseJson(body.toString('utf8').replace(/^\uFEFF/, ''));
  return isObject(document) ? document : {};
}

/** Reads a text of JSON that can be stored and written again. Throws Unreadable. */
export function parseJson(text: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new Unreadable('the body is not valid JSON');
  }
  // UTF-8 and the JSON grammar leave escapes as the only way for NUL and lone surrogates.
  check(document, text.includes('\\u'), 1);
  return document;
}

/** Whether a value of JSON has fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check(value: unknown, hasEscapes: boolean, depth: number): void {
  if (typeof value === 'string') {
    // PostgreSQL keeps no NUL in text, and a lone surrogate has no UTF-8 form.
    if (hasEscapes && (value.includes('\0') || !value.isWellFormed())) {
      throw new Unreadable('the body holds NUL or half of a surrogate pair');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw new Unreadable(`the body is nested over ${maxDepth} levels deep`);
  for (const [key, inner] of Object.entries(value)) {
    check(key, hasEscapes, depth);
    check(inner, hasEscapes, depth + 1);
  }
}
