/** Syntax of JSON values in a language. */
export interface Notation {
  readonly indent: string;
  /** Follows the last of several lines. */
  readonly lastComma: ',' | '';
  readonly scalar: (value: string | number | boolean | null) => string;
  /** Returns the name of a field with its separator from the value. */
  readonly name: (name: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly object: (fields: readonly string[]) => readonly [open: string, close: string];
  /** Inside the brackets of an object on one line. */
  readonly padding: ' ' | '';
}

const LINE = 64;

/**
 * Formats a value for people: on one line if it fits.
 *
 * @param indent that of its first line
 */
export function layout(value: unknown, notation: Notation, indent = ''): string {
  const line = oneLine(value, notation);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE) return line;
  const inner = indent + notation.indent;
  const [open, close, entries] = Array.isArray(value)
    ? [...notation.list, value.map((entry) => layout(entry, notation, inner))]
    : [
        ...notation.object(Object.keys(value)),
        Object.entries(value).map(
          ([name, entry]) => `${notation.name(name)}${layout(entry, notation, inner)}`,
        ),
      ];
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}${notation.lastComma}\n${indent}${close}`;
}

function oneLine(value: unknown, notation: Notation): string {
  if (Array.isArray(value)) {
    return notation.list.join(value.map((entry) => oneLine(entry, notation)).join(', '));
  }
  if (typeof value !== 'object' || value === null) return notation.scalar(value as string | number);
  const entries = Object.entries(value).map(
    ([name, entry]) => notation.name(name) + oneLine(entry, notation),
  );
  const [open, close] = notation.object(Object.keys(value));
  return open + notation.padding + entries.join(', ') + notation.padding + close;
}

/** Characters that are invisible in source code, or appear elsewhere than they are. */
const unseen = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text has characters that source code should write as escapes. */
export const hasUnseen = (text: string): boolean => text.search(unseen) !== -1;

/** Replaces those characters in a text with the result of `written` for their code point. */
export const withoutUnseen = (text: string, written: (codePoint: number) => string): string =>
  text.replace(unseen, (one) => written(one.codePointAt(0)!));
