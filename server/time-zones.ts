import { DateTime } from 'luxon';

/*
 * The SMS family writes times as `dd/mm/yy hh:mm` in the account's time zone (decisions, "Numbers, sources, texts,
 * time").
 */

const FORMAT = 'dd/LL/yy HH:mm';
// Luxon's `yy` takes three digits too, and would make a slip of the finger the third century.
const shape = /^\d\d\/\d\d\/(\d\d|\d{4}) \d\d:\d\d$/;
const MINUTE = 60_000;

/**
 * Reads `dd/mm/yy hh:mm` as a time in `zone`; milliseconds since the epoch, or null when it is no such time. A year
 * of four digits is understood too. An hour that daylight saving skips is moved forward, one that it repeats is the
 * first of the two.
 */
export function parseLocal(text: string, zone: string): number | null {
  if (!shape.test(text)) return null;
  const time = DateTime.fromFormat(text, FORMAT, { zone });
  if (!time.isValid) return null;
  const earlier = time.minus({ hours: 1 });
  // The same reading an hour before: the clock was set back between the two.
  return earlier.toFormat(FORMAT) === time.toFormat(FORMAT) ? earlier.toMillis() : time.toMillis();
}

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
