import { DateTime } from 'luxon';
import type { Clock } from '../../server/clock.ts';
import { weekdays } from '../../server/week-hours.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The same hours on every day of the week. */
export const everyDay = (...spans: string[]) => Object.fromEntries(weekdays.map((day) => [day, spans]));

/** Hours of every day from a time on; `from` is in hours from now, the hours are those of a zone. */
export function hoursFrom(clock: Clock, from: number, { hours = 2, zone = 'UTC' } = {}) {
  const begins = DateTime.fromMillis(clock.now() + from * HOUR, { zone }).startOf('minute');
  const text = `${begins.toFormat('HH:mm')}-${begins.plus({ hours }).toFormat('HH:mm')}`;
  return { text, week: everyDay(text), begins: begins.toMillis() };
}
