import { Refusal } from '../errors.ts';
import type { NumberReader, PhoneNumber } from './numbers.ts';

/**
 * Reads a destination; `field` names it in what is thrown. Throws Refusal `bad-destination` when it is not a number, or
 * is international and those were not asked for.
 */
export function readPhone(
  value: string,
  field: string,
  call: { readonly services: { readonly numbers: Pick<NumberReader, 'parse'> } },
  international: boolean,
): PhoneNumber {
  const number = call.services.numbers.parse(value);
  if (!number) throw new Refusal('bad-destination', 'too short, too long or not a phone number', field);
  if (number.international && !international) {
    throw new Refusal('bad-destination', 'an international number without includes_international', field, {
      reason: 'international',
      params: {},
    });
  }
  return number;
}
