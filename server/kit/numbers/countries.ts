import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const MAX_REMEMBERED = 20_000;
/** Israeli numbers are two thirds of all numbers that this service handles. */
const ISRAEL = '972';
const AREA_DIGITS = 7;

const remembered = new Map<string, string | null>();

/**
 * Returns the country of a number (E.164 digits), as `IL`; null for a number without a country, such as one of a
 * satellite network. Results are cached by the leading digits that determine the country, because libphonenumber needs
 * some 10 µs per number.
 */
export function countryOf(digits: string): string | null {
  if (digits.startsWith(ISRAEL)) return 'IL';
  const key = digits.slice(0, AREA_DIGITS);
  let country = remembered.get(key);
  if (country === undefined) {
    country = parsePhoneNumberFromString(`+${digits}`)?.country ?? null;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, country);
  }
  return country;
}

const zonesByCountry = new Map<string, readonly string[]>();

/**
 * Returns the time zones of a country (`US`) from the CLDR data of Node.js, as IANA names; empty for an unknown
 * country.
 */
export function timeZonesOf(country: string): readonly string[] {
  let zones = zonesByCountry.get(country);
  if (!zones) {
    zones = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [];
    zonesByCountry.set(country, zones);
  }
  return zones;
}
