import { DateTime } from 'luxon';

/* Times of the SMS API: `dd/mm/yy hh:mm` in the account's time zone (decisions, "Numbers, sources, texts, time"). */

const FORMAT = 'dd/LL/yy HH:mm';
const FULL_FORMAT = 'dd/LL/yyyy HH:mm';
/** Day and month, year, hour and minute. Seconds are dropped. */
const shape = /^(\d\d\/\d\d\/)(\d\d|\d{4})( \d\d:\d\d)(?::[0-5]\d)?$/;
const MINUTE = 60_000;

/**
 * Parses `dd/mm/yy hh:mm` as a time in `zone`. Returns milliseconds since the epoch, or null for an invalid time. Years
 * of two digits are 2000 to 2099; years of four digits and seconds (dropped) are accepted too. A time skipped by
 * daylight saving is moved forward; a repeated one is the first of the two.
 */
export function parseLocal(text: string, zone: string): number | null {
  const match = shape.exec(text);
  if (!match) return null;
  const [, day, year, hour] = match;
  // Not Luxon's `yy`, which maps 61 to 99 to the last century: a message with a past time is sent immediately.
  const full = `${day}${year!.length === 2 ? '20' : ''}${year}${hour}`;
  const time = DateTime.fromFormat(full, FULL_FORMAT, { zone });
  if (!time.isValid) return null;
  const earlier = time.minus({ hours: 1 });
  // One hour earlier has the same local time: the clock was set back in between.
  return earlier.toFormat(FORMAT) === time.toFormat(FORMAT) ? earlier.toMillis() : time.toMillis();
}

/** Formats a time as `dd/mm/yyyy hh:mm:ss` in `zone`. */
export const formatLocalSeconds = (time: number, zone: string): string =>
  DateTime.fromMillis(time, { zone }).toFormat('dd/LL/yyyy HH:mm:ss');

const formatters = new Map<string, Intl.DateTimeFormat>();
const written = new Map<string, string>();

/** Formats a time as `dd/mm/yy hh:mm` in `zone`. Cached by minute, because a report has thousands of equal times. */
export function formatLocal(time: number, zone: string): string {
  const minute = Math.floor(time / MINUTE);
  const key = `${zone}/${minute}`;
  let text = written.get(key);
  if (text === undefined) {
    let formatter = formatters.get(zone);
    if (!formatter) {
      formatter = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        day: '2-digit',
        month: '2-digit',
        year: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
      formatters.set(zone, formatter);
    }
    text = formatter.format(time).replace(', ', ' ');
    if (written.size > 5_000) written.clear();
    written.set(key, text);
  }
  return text;
}
