import { DateTime } from 'luxon';
import { getTimes } from 'suncalc';
import type { RestDays } from './policy.ts';

const MINUTE_MS = 60_000;
const DEGREES_AN_HOUR = 15;

const hebrewDate = new Intl.DateTimeFormat('en-u-ca-hebrew', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** Holidays without work, by the Hebrew calendar. */
const holidays: ReadonlySet<string> = new Set([
  '1 Tishri',
  '2 Tishri',
  '10 Tishri',
  '15 Tishri',
  '22 Tishri',
  '15 Nisan',
  '21 Nisan',
  '6 Sivan',
]);
const secondDays: ReadonlySet<string> = new Set([
  '16 Tishri',
  '23 Tishri',
  '16 Nisan',
  '22 Nisan',
  '7 Sivan',
]);

/** Whether a date (its midnight, UTC) is a Shabbat or a holiday. */
export function isRestDay(date: DateTime, { second_days }: Pick<RestDays, 'second_days'>): boolean {
  if (date.weekday === 6) return true;
  const name = hebrewDate.format(date.toMillis());
  return holidays.has(name) || (second_days && secondDays.has(name));
}

/** A period of rest, in milliseconds since the epoch; `ends` is exclusive. */
interface RestSpan {
  readonly begins: number;
  readonly ends: number;
}

/**
 * Yields the periods of rest from the date of `from` on, for `days` days. Each begins before the sunset of the previous
 * day and ends after its own sunset, so that periods of consecutive days overlap.
 */
export function* restSpansFrom(rest: RestDays, from: number, days: number): Generator<RestSpan> {
  const { begins_before, ends_after } = rest;
  // The date in the policy's zone may be one day before or after that in UTC.
  const first = DateTime.fromMillis(from, { zone: 'UTC' }).startOf('day').minus({ days: 1 });
  for (let day = 0; day < days; day++) {
    const date = first.plus({ days: day });
    if (!isRestDay(date, rest)) continue;
    yield {
      begins: (Math.floor(sunset(date.minus({ days: 1 }), rest)) - begins_before) * MINUTE_MS,
      ends: (Math.ceil(sunset(date, rest)) + ends_after) * MINUTE_MS,
    };
  }
}

/**
 * Returns the time of sunset on a date at a location, in minutes since the epoch. Up to 65 degrees of latitude every
 * day has a sunset.
 */
function sunset(date: DateTime, { latitude, longitude }: RestDays): number {
  const noon = date.plus({ hours: 12 - longitude / DEGREES_AN_HOUR });
  return getTimes(noon.toJSDate(), latitude, longitude).sunset!.getTime() / MINUTE_MS;
}
