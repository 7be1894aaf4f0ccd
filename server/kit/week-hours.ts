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

/**
 * Hours of each day of the week, like `09:00-17:00`. They continue after midnight if the end is not later than the
 * beginning.
 */
export type WeekHours = Readonly<Record<Weekday, readonly string[]>>;

/** Opening hours. */
export interface OpeningHours {
  /** Null: always open. */
  readonly hours: WeekHours | null;
  /** Local dates like `2027-10-02`, closed from midnight to midnight, whatever the weekly hours. */
  readonly closedDates: ReadonlySet<string>;
  /** IANA time zone of the hours and the dates. */
  readonly zone: string;
}

/** Maximum number of days to search for hours: more than between any two openings. */
const MAX_DAYS = 400;

/** Whether it is open at a time, in milliseconds since the epoch. */
export const isOpen = (opening: OpeningHours, at: number): boolean => wasOpen(opening, at, at);

/**
 * Whether it was open at any time from `from` to `to` (both inclusive, milliseconds since the epoch). Times skipped by
 * daylight saving are moved forward; for repeated ones, beginning and end are the first of the two.
 */
export function wasOpen(opening: OpeningHours, from: number, to: number): boolean {
  for (const { begins, ends } of spansFrom(opening, from, MAX_DAYS)) {
    if (begins <= to && ends > from) return true;
    if (begins > to) return false;
  }
  return false;
}

/** An open period, in milliseconds since the epoch; `ends` is exclusive. */
interface OpenSpan {
  readonly begins: number;
  readonly ends: number;
}

/**
 * Yields the open periods that begin within `days` days, from the day before that of `from`, because hours may continue
 * after midnight; ordered by their beginning.
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

/** Returns the hours of a day, in minutes. */
function spansOf(hours: WeekHours | null, date: DateTime): readonly Hours[] {
  if (hours === null) return [WHOLE_DAY];
  // Luxon numbers the days of the week from Monday, 1.
  const spans = hours[weekdays[date.weekday % 7]!].flatMap((text) => parseHours(text) ?? []);
  return spans.sort((one, other) => one.from - other.from);
}

/**
 * Returns the exclusive end of hours that begin on `date`, in milliseconds since the epoch. Hours that continue into a
 * closed date end at midnight.
 */
function endOf({ from, to }: Hours, date: DateTime, next: DateTime, isNextClosed: boolean): number {
  if (to > from) return (to === WHOLE_DAY.to ? next : timeOfDay(date, to)).toMillis();
  return (isNextClosed ? next : timeOfDay(next, to)).toMillis();
}

const timeOfDay = (date: DateTime, minute: number): DateTime =>
  date.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
