/** How a language writes a value of JSON. */
export interface Notation {
  readonly indent: string;
  /** Stands after the last of several lines. */
  readonly lastComma: ',' | '';
  readonly scalar: (value: string | number | boolean | null) => string;
  /** The name of a field, with what is between it and its value. */
  readonly name: (name: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly object: (fields: readonly string[]) => readonly [open: string, close: string];
  /** Stands inside the brackets of an object on one line. */
  readonly padding: ' ' | '';
}

const LINE = 64;

/**
 * A value for people: what fits on a line stays on it.
 *
 * @param indent that of the line on which it begins
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

/** Characters that a reader of a program does not see, or sees elsewhere than they are. */
const unseen = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Whether a text has characters that a program should write as escapes. */
export const hasUnseen = (text: string): boolean => text.search(unseen) !== -1;

/** A text in which those characters are written as `written` says, by their code point. */
export const withoutUnseen = (text: string, written: (codePoint: number) => string): string =>
  text.replace(unseen, (one) => written(one.codePointAt(0)!));
