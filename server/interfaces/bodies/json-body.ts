import { isUtf8 } from 'node:buffer';
import { checkTexts } from './clean-json.ts';
import { type CleanJson, JsonError, parseJson } from './parse-json.ts';

/** A body that is not JSON, or holds what cannot be stored. The message never holds text of the body. */
export class Unreadable extends Error {
  readonly statusCode: 400 | 408 | 413;

  constructor(message: string, statusCode: 400 | 408 | 413 = 400, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** How a body is read as JSON. */
interface JsonReading {
  /** Whether a body without JSON, or with white space alone, is read as undefined; otherwise it is refused. */
  readonly mayBeEmpty?: boolean;
  /** What an API does to what was read; without it texts that cannot be stored and written again are refused. */
  readonly clean?: CleanJson;
}

/**
 * Reads a body as JSON, a long one in slices. Nothing is trimmed: callers get back what they sent. Throws Unreadable, whose
 * cause is the `JsonError`.
 */
export async function readJson(
  body: Buffer | undefined,
  { mayBeEmpty = false, clean = checkTexts }: JsonReading = {},
): Promise<unknown> {
  if (!body || body.length === 0) {
    if (mayBeEmpty) return undefined;
    throw new Unreadable('the body is empty');
  }
  if (!isUtf8(body)) throw new Unreadable('the body is not valid UTF-8');
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (mayBeEmpty && text.trim() === '') return undefined;
  try {
    return await parseJson(text, clean);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Unreadable(`the body ${error.message}`, 400, { cause: error });
  }
}

/** Whether a value of JSON has fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
