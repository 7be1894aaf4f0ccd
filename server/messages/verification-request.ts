import { Refusal } from '../errors.ts';
import { isSubscriberNumber, takesSms } from '../numbers/line-types.ts';
import { displayNumber, type NumberReader } from '../numbers/numbers.ts';
import { readPhone } from '../numbers/read-phone.ts';

/** Numbers of one request. The interface sets no bound; each is an SMS to somebody, and a company has tens of numbers. */
export const VERIFY_PHONES_MOST = 100;

/**
 * Each number that is to be verified once, as E.164 digits. Throws Refusal `bad-destination`, with `field` as the name of
 * the whole.
 */
export function readPhonesToVerify(
  values: readonly (string | undefined)[],
  field: string,
  call: { readonly services: { readonly numbers: Pick<NumberReader, 'parse'> } },
  international: boolean,
): string[] {
  const phones = values.map((value, index) => {
    const name = values.length === 1 ? field : `${field}[${index}]`;
    const { digits } = readPhone(value ?? '', name, call, international);
    if (!isSubscriberNumber(digits)) {
      throw new Refusal('bad-destination', `${name}: neither a mobile nor a landline number`);
    }
    return digits;
  });
  return [...new Set(phones)];
}

/** What happens next with numbers (E.164 digits) that are to be verified, in words for who asked. */
export function whatComesNext(phones: readonly string[], callNumber: string | undefined): string {
  const shown = (some: readonly string[]) => some.map(displayNumber).join(', ');
  const mobiles = phones.filter(takesSms);
  const landlines = phones.filter((phone) => !takesSms(phone));
  const sentences: string[] = [];
  if (mobiles.length > 0) {
    sentences.push(`A verification link, good for 24 hours, will be sent to ${shown(mobiles)}.`);
  }
  if (landlines.length > 0) {
    sentences.push(
      callNumber === undefined
        ? `To verify ${shown(landlines)}, turn to the operator of this service within 24 hours.`
        : `To verify ${shown(landlines)}, call ${callNumber} from it within 24 hours.`,
    );
  }
  return sentences.join(' ');
}
