/* Reads JSON from other systems: these functions return a value of the right type for any input and never throw. */

export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = Object.freeze({});

/** The value itself when it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : nothing;
}

/** The value itself when it is an array, else an empty one. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Returns a string, or a number as a string, in a form that can be stored (no NUL, no lone surrogates); empty for other
 * types.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return text.toWellFormed();
}

/** The platform's ids have about 60 characters; a much longer one would not fit in an index. */
const LONGEST_ID = 500;

/** Like `textOf`, for an id that is stored and looked up: too long ids are cut to the same length everywhere. */
export function idOf(value: unknown): string {
  return textOf(value).slice(0, LONGEST_ID).toWellFormed();
}

/** Returns a safe integer, also from a string of digits; null for anything else. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** Levels of arrays and objects that `tidy` keeps. The deepest answer of a form has six. */
const MAX_DEPTH = 12;

/**
 * Returns a JSON value in a form that can be stored as JSON: texts as by `textOf`, null for anything nested deeper than
 * webhooks need.
 */
export function tidy(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((each) => tidy(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [textOf(name), tidy(each, depth + 1)]),
  );
}

/** Parses JSON. Returns undefined for malformed text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
