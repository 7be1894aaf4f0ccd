import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A destination in the one spelling that everything else uses. */
export interface PhoneNumber {
  /** E.164 digits without `+`. */
  readonly digits: string;
  /** Not of the home country. */
  readonly international: boolean;
}

/** Reads the spellings of phone numbers that people use in the home country (decisions, "Numbers"). */
export interface NumberReader {
  /** The number, or null when it is too short, too long or not a number. */
  parse(text: string): PhoneNumber | null;
  /** Whether a number (E.164 digits) is not of the home country. */
  isInternational(digits: string): boolean;
  /** The calling code of the home country, like `972`. */
  readonly homeCode: string;
}

// Two of three numbers that this service sees are Israeli mobiles; libphonenumber takes 5 to 10 µs for one, this 0.1.
const israeliMobile = /^(?:(?:\+|00)?9720?|0)?(5\d{8})$/;
const separators = /[\s\-()./]/g;
// What bare digits may be at home. Service numbers are left out: many look like an American number with its 1.
const subscriberTypes: ReadonlySet<string | undefined> = new Set([
  'MOBILE',
  'FIXED_LINE',
  'FIXED_LINE_OR_MOBILE',
  'VOIP',
  'PERSONAL_NUMBER',
]);

/**
 * A reader for one home country. Spaces, dashes, dots and brackets are passed over; `+`, `00` and bare international
 * digits are understood; local spellings are those of the home country.
 */
export function createNumberReader(homeCountry: string): NumberReader {
  const country = homeCountry as CountryCode;
  const callingCode = getCountryCallingCode(country);
  const isInternational = (digits: string) => !digits.startsWith(callingCode);
  return {
    isInternational,
    homeCode: callingCode,
    parse(text) {
      const bare = text.replace(separators, '');
      if (homeCountry === 'IL') {
        const match = israeliMobile.exec(bare);
        if (match) return { digits: `972${match[1]}`, international: false };
      }
      if (!/^\+?\d{4,20}$/.test(bare)) return null;
      const local = bare.startsWith('+') ? undefined : parsePhoneNumberFromString(bare, country);
      if (local?.isValid() && subscriberTypes.has(local.getType())) return found(local.number);
      const digits = bare.replace(/^(\+|00)/, '');
      const foreign = parsePhoneNumberFromString(`+${digits}`);
      // Of other countries only the length is checked: their numbering plans change faster than this table.
      if (!foreign?.isPossible()) return null;
      if (foreign.countryCallingCode === callingCode && !foreign.isValid()) return null;
      return found(foreign.number);
    },
  };

  function found(e164: string): PhoneNumber {
    const digits = e164.slice(1);
    return { digits, international: isInternational(digits) };
  }
}

const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, boolean>();

/**
 * Whether bare digits start with a calling code and are as long as that country's numbers are. Without it a service
 * number like 1700123456 would be taken for American. Answers are remembered: a campaign asks for each message.
 */
export function isInternationalLength(digits: string): boolean {
  const known = remembered.get(digits);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const isPossible = parsePhoneNumberFromString(`+${digits}`)?.isPossible() ?? false;
  remembered.set(digits, isPossible);
  return isPossible;
}

/** A recipient as callers write it: of a mail its address, otherwise the number as `displayNumber` shows it. */
export const displayRecipient = (recipient: string): string =>
  recipient.includes('@') ? recipient : displayNumber(recipient);

/** How answers of the SMS family show a number: `05xxxxxxxx` for Israeli ones, plain digits for others. */
export function displayNumber(digits: string): string {
  return digits.startsWith('972') && digits.length >= 11 ? `0${digits.slice(3)}` : digits;
}
