import type { PartitionKey } from '../../database/define-tables.ts';

// Numbers of link codes in a month. There are 62⁷ codes: enough for 1,600 a second all month, and for 68 years.
export const CODES_A_MONTH = 2 ** 32;
const EPOCH = 2025 * 12;

/** Returns the first number of the codes of the month (UTC) that `time` is in (code-numbers.ts). */
export function codeFloor(time: number): number {
  const date = new Date(time);
  return (date.getUTCFullYear() * 12 + date.getUTCMonth() - EPOCH) * CODES_A_MONTH;
}

/** Codes of links, which grow month by month. */
export const codeMonths: PartitionKey = {
  floor: codeFloor,
  timeOf: (code) => Date.UTC(0, Math.floor(code / CODES_A_MONTH) + EPOCH - 1900 * 12),
};
