import { integerOf, textOf } from './json.ts';

/* Values of notifications, in every form in which the platform writes them. */

/** The platform's words have up to 60 characters. */
const LONGEST_WORD = 200;

/** A word of the platform's, in capitals; empty where there is none. */
export const wordOf = (value: unknown): string =>
  textOf(value).slice(0, LONGEST_WORD).toWellFormed().toUpperCase();

/** Seconds since the epoch as milliseconds; null for what is no time. */
export function secondsOf(value: unknown): number | null {
  const seconds = integerOf(value);
  return seconds !== null && seconds > 0 && seconds < 1e11 ? seconds * 1_000 : null;
}

/** A number as the platform writes it, some with `+` or spaces, as digits; empty when it is none. */
export function digitsOf(value: unknown): string {
  const digits = textOf(value).replace(/[\s+\-().]/g, '');
  return /^\d{1,20}$/.test(digits) ? digits : '';
}

const qualities: ReadonlySet<string> = new Set(['GREEN', 'YELLOW', 'RED']);

/** A rating of the platform's: `GREEN`, `YELLOW`, `RED`, or `UNKNOWN` for none yet and for words of later versions. */
export function qualityOf(value: unknown): string {
  const word = wordOf(value);
  return qualities.has(word) ? word : 'UNKNOWN';
}
