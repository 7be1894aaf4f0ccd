/* Reading JSON that others made: whatever it is, these give something of the right type and never throw. */

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

/** A string, or a number as one, fit to be stored (no NUL, no half characters); empty when it is neither. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return text.toWellFormed();
}

/** Ids of the platform have about 60 characters; what is much longer would be too long for an index. */
const LONGEST_ID = 500;

/** As `textOf`, for an id that will be stored and looked for: one that is too long for that is cut, everywhere alike. */
export function idOf(value: unknown): string {
  return textOf(value).slice(0, LONGEST_ID).toWellFormed();
}

/** A whole number that is safe to count with, also when it is written as a string; null when it is none. */
export function integerOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
}

/** Levels of arrays and objects that `tidy` keeps: the deepest answer of a form has six. */
const MAX_DEPTH = 12;

/** A value of JSON, fit to be stored as JSON: texts as by `textOf`; what is nested deeper than a webhook needs is null. */
export function tidy(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((each) => tidy(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [textOf(name), tidy(each, depth + 1)]),
  );
}

/** Parses JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
