import { integerOf, textOf } from './json.ts';

/* Reads values of notifications in every form that the platform uses. */

/** The platform's keywords have up to 60 characters. */
const LONGEST_WORD = 200;

/** Returns a keyword of the platform in capitals; empty when it is missing. */
export const wordOf = (value: unknown): string =>
  textOf(value).slice(0, LONGEST_WORD).toWellFormed().toUpperCase();

/** Converts seconds since the epoch to milliseconds; null for anything else. */
export function secondsOf(value: unknown): number | null {
  const seconds = integerOf(value);
  return seconds !== null && seconds > 0 && seconds < 1e11 ? seconds * 1_000 : null;
}

/** Returns the digits of a phone number, which the platform may write with `+` or spaces; empty for anything else. */
export function digitsOf(value: unknown): string {
  const digits = textOf(value).replace(/[\s+\-().]/g, '');
  return /^\d{1,20}$/.test(digits) ? digits : '';
}

const qualities: ReadonlySet<string> = new Set(['GREEN', 'YELLOW', 'RED']);

/**
 * Returns a rating of the platform: `GREEN`, `YELLOW`, `RED`, or `UNKNOWN` for a missing rating and for ratings of
 * later versions.
 */
export function qualityOf(value: unknown): string {
  const word = wordOf(value);
  return qualities.has(word) ? word : 'UNKNOWN';
}
