import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const MAX_REMEMBERED = 20_000;
/** Israeli numbers: two of three that this service sees. */
const ISRAEL = '972';
const AREA_DIGITS = 7;

const remembered = new Map<string, string | null>();

/**
 * The country of a number (E.164 digits), as `IL`; null when it is of none, like one of a satellite network. Remembered by
 * the digits that tell it, since libphonenumber takes some 10 µs for one.
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

/** The time zones of a country (`US`) by the CLDR data of Node.js, IANA names; empty for one that it does not know. */
export function timeZonesOf(country: string): readonly string[] {
  let zones = zonesByCountry.get(country);
  if (!zones) {
    zones = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? [];
    zonesByCountry.set(country, zones);
  }
  return zones;
}
