import { DateTime } from 'luxon';

/*
 * The SMS family writes times as `dd/mm/yy hh:mm` in the account's time zone (decisions, "Numbers, sources, texts,
 * time").
 */

const FORMAT = 'dd/LL/yy HH:mm';
const FULL_FORMAT = 'dd/LL/yyyy HH:mm';
/** Day and month, year, hour and minute; seconds are dropped. */
const shape = /^(\d\d\/\d\d\/)(\d\d|\d{4})( \d\d:\d\d)(?::[0-5]\d)?$/;
const MINUTE = 60_000;

/**
 * Reads `dd/mm/yy hh:mm` as a time in `zone`; milliseconds since the epoch, or null when it is no such time. A year of
 * two digits is one of 2000 to 2099; a year of four digits and seconds (dropped) are accepted too. An hour that daylight
 * saving skips is moved forward, one that it repeats is the first of the two.
 */
export function parseLocal(text: string, zone: string): number | null {
  const match = shape.exec(text);
  if (!match) return null;
  const [, day, year, hour] = match;
  // Not Luxon's `yy`, for which 61 to 99 are years of the last century: a time that is past is sent at once.
  const full = `${day}${year!.length === 2 ? '20' : ''}${year}${hour}`;
  const time = DateTime.fromFormat(full, FULL_FORMAT, { zone });
  if (!time.isValid) return null;
  const earlier = time.minus({ hours: 1 });
  // The same reading an hour before: the clock was set back between the two.
  return earlier.toFormat(FORMAT) === time.toFormat(FORMAT) ? earlier.toMillis() : time.toMillis();
}

/** Writes a time as `dd/mm/yyyy hh:mm:ss` in `zone`. */
export const formatLocalSeconds = (time: number, zone: string): string =>
  DateTime.fromMillis(time, { zone }).toFormat('dd/LL/yyyy HH:mm:ss');

const formatters = new Map<string, Intl.DateTimeFormat>();
const written = new Map<string, string>();

/** Writes a time as `dd/mm/yy hh:mm` in `zone`. Kept by minute: a report has thousands of the same. */
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
