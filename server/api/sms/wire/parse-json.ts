import { trimTexts } from '../../bodies/clean-json.ts';
import { JsonError, parseJson, parseShortJson } from '../../bodies/parse-json.ts';
import { only } from './only.ts';
import { WireError } from './wire-error.ts';

/** The operation that a body names, and its content. */
export interface Named {
  root: string;
  content: Record<string, unknown>;
  /** The root's value was an array of several, and `content` is the first. */
  several?: true;
}

/**
 * Reads a JSON object with a single key, the operation, whose value is an object. Trims texts in place.
 * Drops keys named `__proto__` at every level: no operation has one, and copying such an object
 * (`Object.assign`) would set a prototype.
 *
 * @throws {WireError}
 */
export function parseJsonBody(text: string): Named {
  try {
    return named(parseShortJson(text, trimTexts));
  } catch (error) {
    throw wireError(error);
  }
}

/** As `parseJsonBody`, in slices (time-slices.ts). */
export async function parseJsonBodyInSlices(text: string): Promise<Named> {
  try {
    return named(await parseJson(text, trimTexts));
  } catch (error) {
    throw wireError(error);
  }
}

function named(body: unknown): Named {
  // The text begins with a brace, so this is an object.
  const document = body as Record<string, unknown>;
  const [root, ...others] = Object.keys(document);
  if (root === undefined) throw new WireError('root', 'json', 'The body names no operation');
  if (others.length > 0) throw new WireError('root', 'json', 'The body names more than one operation');
  const value = only(document[root]);
  const several = Array.isArray(value);
  const content = several ? (value[0] as unknown) : value;
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new WireError('root', 'json', 'The value of the root key must be an object');
  }
  return { root, content: content as Record<string, unknown>, ...(several && { several }) };
}

function wireError(error: unknown): unknown {
  return error instanceof JsonError
    ? new WireError('unparseable', 'json', `The body ${error.message}`)
    : error;
}
