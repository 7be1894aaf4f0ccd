import { Refusal } from '../errors.ts';
import type { NumberReader, PhoneNumber } from './phone-numbers.ts';

/**
 * Parses a destination; `field` names it in errors. Throws Refusal `bad-destination` for a text that is not a number,
 * or an international number if the call does not permit those.
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
