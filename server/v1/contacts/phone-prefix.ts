import type { NumberReader } from '../../numbers/numbers.ts';

/**
 * The international digits of all numbers that begin as somebody typed: a whole number in any spelling, or the beginning
 * of one, local (`052`) or international (`+97252`, `97252`). '' for nothing typed, which is the beginning of all.
 */
export function prefixOf(typed: string, numbers: Pick<NumberReader, 'parse' | 'homeCode'>): string {
  const whole = numbers.parse(typed);
  if (whole) return whole.digits;
  const digits = typed.replace(/\D/g, '');
  if (digits.startsWith('00')) return digits.slice(2);
  return digits.startsWith('0') ? `${numbers.homeCode}${digits.slice(1)}` : digits;
}
