import { DateTime } from 'luxon';

/** A time of SMPP (3.4, 7.1.1): date, time, tenths of a second, quarter hours from UTC, and their direction. */
const shape = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([-+R])$/;
const QUARTER_MINUTES = 15;
/** Maximum difference from UTC, in quarter hours (SMPP 3.4, 7.1.1.1). */
const MAX_QUARTERS = 48;

/**
 * Reads a `schedule_delivery_time` or `validity_period`, absolute (`YYMMDDhhmmsstnn+`) or relative to `now` (`…R`), as
 * milliseconds since the epoch. Returns null for an empty text, and undefined for one that is not a time.
 * A relative time counts months and years in the calendar of UTC; a month after 31 January is the last day of February.
 */
export function readSmppTime(text: string, now: number): number | null | undefined {
  if (text === '') return null;
  const match = shape.exec(text);
  if (!match) return undefined;
  const fields = match.slice(1, 9).map(Number);
  const [years, months, days, hours, minutes, seconds, tenths, quarters] = fields as [
    ...[years: number, months: number, days: number, hours: number],
    ...[minutes: number, seconds: number, tenths: number, quarters: number],
  ];
  const zone = { zone: 'utc' };
  if (match[9] === 'R') {
    const span = { years, months, days, hours, minutes, seconds };
    return DateTime.fromMillis(now, zone).plus(span).toMillis();
  }
  const date = { year: 2000 + years, month: months, day: days };
  const time = { hour: hours, minute: minutes, second: seconds, millisecond: tenths * 100 };
  const local = DateTime.fromObject({ ...date, ...time }, zone);
  // Luxon reads hour 24 as the next day.
  if (!local.isValid || hours > 23 || quarters > MAX_QUARTERS) return undefined;
  const offset = quarters * QUARTER_MINUTES * (match[9] === '-' ? -1 : 1);
  return local.minus({ minutes: offset }).toMillis();
}

/** Formats a time as in `final_date` and other absolute times, in UTC. */
export function writeSmppTime(time: number): string {
  const digits = new Date(time).toISOString().replace(/\D/g, '');
  return `${digits.slice(2, 14)}${digits[14]}00+`;
}
