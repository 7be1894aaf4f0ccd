import { isUtf8 } from 'node:buffer';
import { checkTexts } from './clean-json.ts';
import { type CleanJson, JsonError, parseJson } from './parse-json.ts';

/** A body that is not JSON, or contains text that cannot be stored. The message never contains text of the body. */
export class Unreadable extends Error {
  readonly statusCode: 400 | 408 | 413;

  constructor(message: string, statusCode: 400 | 408 | 413 = 400, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** Options for reading a JSON body. */
interface JsonReading {
  /** Whether an empty body, or one of white space, is read as undefined; otherwise it is refused. */
  readonly mayBeEmpty?: boolean;
  /** Cleans or checks each object and array. By default, texts that cannot be stored and returned are refused. */
  readonly clean?: CleanJson;
}

/**
 * Reads a body as JSON, a long one in slices. Trims nothing, so that callers get back the texts that they sent. Throws
 * Unreadable, with the `JsonError` as cause.
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

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
