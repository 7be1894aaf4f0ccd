import { DateTime } from 'luxon';
import { type Hours, parseHours } from './day-hours.ts';

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** The hours of each day of the week, as `09:00-17:00`; over midnight when the end is not later than the beginning. */
export type WeekHours = Readonly<Record<Weekday, readonly string[]>>;

/** When somebody answers. */
export interface OpeningHours {
  /** Null: always. */
  readonly hours: WeekHours | null;
  /** Local dates as `2027-10-02`, which are closed from midnight to midnight, whatever the hours of the day are. */
  readonly closedDates: ReadonlySet<string>;
  /** The IANA name of the zone of the hours and the dates. */
  readonly zone: string;
}

/** Days that are looked through for hours: more than there are between two openings of anybody. */
const MAX_DAYS = 400;

/** Whether it is open at a time, in milliseconds since the epoch. */
export const isOpen = (opening: OpeningHours, at: number): boolean => wasOpen(opening, at, at);

/**
 * Whether it was open at any time from `from` to `to` (both in it, milliseconds since the epoch). Hours that daylight saving
 * skips are moved forward; of those that it repeats, a beginning and an end are the first.
 */
export function wasOpen(opening: OpeningHours, from: number, to: number): boolean {
  for (const { begins, ends } of spansFrom(opening, from, MAX_DAYS)) {
    if (begins <= to && ends > from) return true;
    if (begins > to) return false;
  }
  return false;
}

/** A time in which it is open, in milliseconds since the epoch; `ends` is not in it. */
interface OpenSpan {
  readonly begins: number;
  readonly ends: number;
}

/**
 * The times in which it is open, by the days that they begin on, from the day before that of `from`, since hours may go on
 * after midnight; in the order of their beginnings, for `days` days.
 */
export function* spansFrom(
  { hours, closedDates, zone }: OpeningHours,
  from: number,
  days: number,
): Generator<OpenSpan> {
  const first = DateTime.fromMillis(from, { zone }).startOf('day').minus({ days: 1 });
  for (let day = 0; day < days; day++) {
    const date = first.plus({ days: day }).startOf('day');
    if (closedDates.has(date.toISODate()!)) continue;
    const next = date.plus({ days: 1 }).startOf('day');
    const isNextClosed = closedDates.has(next.toISODate()!);
    for (const span of spansOf(hours, date)) {
      const begins = timeOfDay(date, span.from).toMillis();
      yield { begins, ends: endOf(span, date, next, isNextClosed) };
    }
  }
}

const WHOLE_DAY: Hours = { from: 0, to: 24 * 60 };

/** The hours of a day, in minutes. */
function spansOf(hours: WeekHours | null, date: DateTime): readonly Hours[] {
  if (hours === null) return [WHOLE_DAY];
  // Luxon's weeks begin with Monday, 1.
  const spans = hours[weekdays[date.weekday % 7]!].flatMap((text) => parseHours(text) ?? []);
  return spans.sort((one, other) => one.from - other.from);
}

/** The end of hours that begin on `date`, in milliseconds: not in them. What goes on into a closed date ends at midnight. */
function endOf({ from, to }: Hours, date: DateTime, next: DateTime, isNextClosed: boolean): number {
  if (to > from) return (to === WHOLE_DAY.to ? next : timeOfDay(date, to)).toMillis();
  return (isNextClosed ? next : timeOfDay(next, to)).toMillis();
}

const timeOfDay = (date: DateTime, minute: number): DateTime =>
  date.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
