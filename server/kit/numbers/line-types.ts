import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

// Types of fixed telephones at home or at work, including desk phones with an internet area code.
const desks: ReadonlySet<NumberType> = new Set(['FIXED_LINE', 'VOIP']);
// Types that may receive SMS. If the numbering plan cannot tell mobiles from landlines, or does not know the number,
// the SMS is sent.
const mobiles: ReadonlySet<NumberType> = new Set([
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'PERSONAL_NUMBER',
  undefined,
]);

const typeOf = (digits: string) => parsePhoneNumberFromString(`+${digits}`)?.getType();

/** Whether a number (E.164 digits) is a mobile number, as far as numbering plans tell. */
export function takesSms(digits: string): boolean {
  return mobiles.has(typeOf(digits));
}

/** Whether a number (E.164 digits) can belong to a person's telephone: a mobile or a landline, not a service number. */
export function isSubscriberNumber(digits: string): boolean {
  const type = typeOf(digits);
  return mobiles.has(type) || desks.has(type);
}
