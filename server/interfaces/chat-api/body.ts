import { isUtf8 } from 'node:buffer';
import { checkTexts } from '../bodies/clean-json.ts';
import { JsonError, parseJson as parseWithinLimits } from '../bodies/parse-json.ts';

/** A body that is not JSON, or holds what cannot be stored. The message never holds text of the body. */
export class Unreadable extends Error {
  readonly http: 400 | 408 | 413;

  constructor(message: string, http: 400 | 408 | 413 = 400) {
    super(message);
    this.http = http;
  }
}

/**
 * Reads a body as a JSON object; what is JSON and no object has no fields. Nothing is trimmed: callers get back what
 * they sent. Throws Unreadable.
 */
export async function readBody(body: Buffer | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (!body || body.length === 0) throw new Unreadable('the body is empty');
  if (!isUtf8(body)) throw new Unreadable('the body is not valid UTF-8');
  const document = await parseJson(body.toString('utf8').replace(/^\uFEFF/, ''));
  return isObject(document) ? document : {};
}

/** Reads a text of JSON that can be stored and written again; a long one in slices. Throws Unreadable. */
export async function parseJson(text: string): Promise<unknown> {
  try {
    return await parseWithinLimits(text, checkTexts);
  } catch (error) {
    throw error instanceof JsonError ? new Unreadable(`the body ${error.message}`) : error;
  }
}

/** Whether a value of JSON has fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
