import type { Query, Queryable, Row } from '../../database/connection.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';

/** A part of a number that a person typed to find it, in digits. */
export interface NumberPart {
  /** International digits with which the number may begin. */
  readonly start: string;
  /** Digits that may be anywhere in the number. */
  readonly inside: string;
}

/** Matches all numbers. */
export const ANY_NUMBER: NumberPart = { start: '', inside: '' };

/**
 * Reads what a person typed: a whole number in any spelling, its beginning, local (`052`) or international (`+97252`,
 * `97252`), or any other digits of it. An empty text matches all numbers.
 */
export function readPart(typed: string, numbers: Pick<NumberReader, 'parse' | 'homeCode'>): NumberPart {
  const digits = typed.replace(/\D/g, '');
  const international =
    numbers.parse(typed)?.digits ?? (digits.startsWith('00') ? digits.slice(2) : undefined);
  if (international !== undefined) return { start: international, inside: international };
  return { start: digits.replace(/^0/, numbers.homeCode), inside: digits };
}

/** Condition that a column of numbers has this part. */
export const hasPart = (sql: Queryable, column: Query<Row[]>, { start, inside }: NumberPart): Query<Row[]> =>
  sql`(starts_with(${column}, ${start}) OR strpos(${column}, ${inside}) > 0)`;
