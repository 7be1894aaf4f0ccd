import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

// What people have at home or at work. Numbers with area codes of the internet are telephones on a desk too.
const desks: ReadonlySet<NumberType> = new Set(['FIXED_LINE', 'VOIP']);
// Where the plan does not tell the two apart, or does not know the number, an SMS is tried.
const mobiles: ReadonlySet<NumberType> = new Set([
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'PERSONAL_NUMBER',
  undefined,
]);

const typeOf = (digits: string) => parsePhoneNumberFromString(`+${digits}`)?.getType();

/** Whether a number (E.164 digits) is a mobile's, as far as numbering plans tell. */
export function takesSms(digits: string): boolean {
  return mobiles.has(typeOf(digits));
}

/** Whether somebody's telephone can have this number (E.164 digits): a mobile or a landline, and no service number. */
export function isSubscriberNumber(digits: string): boolean {
  const type = typeOf(digits);
  return mobiles.has(type) || desks.has(type);
}
