import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';

/**
 * Returns the international digits that numbers with a typed beginning have in common: from a whole number in any
 * spelling, or a beginning, local (`052`) or international (`+97252`, `97252`). '' for an empty text, which matches all
 * numbers.
 */
export function prefixOf(typed: string, numbers: Pick<NumberReader, 'parse' | 'homeCode'>): string {
  const whole = numbers.parse(typed);
  if (whole) return whole.digits;
  const digits = typed.replace(/\D/g, '');
  if (digits.startsWith('00')) return digits.slice(2);
  return digits.startsWith('0') ? `${numbers.homeCode}${digits.slice(1)}` : digits;
}
