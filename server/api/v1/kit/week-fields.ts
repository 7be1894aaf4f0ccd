import { DateTime } from 'luxon';
import { z } from 'zod';
import { parseHours } from '../../../kit/day-hours.ts';
import { type Weekday, weekdays } from '../../../kit/week-hours.ts';
import { answered } from '../../openapi/shown.ts';
import { because } from '../../schema-problems.ts';
import { listOf, text, textUpTo } from './fields.ts';
import { storable } from './text-fields.ts';

/* Building blocks of bodies and responses with weekly hours and closed dates. */

const MAX_SPANS = 6;
const MAX_DATES = 400;
const MAX_DATE_NAME = 60;

/** Hours like `09:00-17:00`. */
export const hoursText = text.refine(
  (given) => parseHours(given) !== null,
  because('must be hours like 09:00-17:00', 'not-opening-hours'),
);

const spans = listOf(hoursText, MAX_SPANS);

/** Hours of each day of the week. */
export const weekHours = z.object(
  Object.fromEntries(weekdays.map((day) => [day, spans])) as Record<Weekday, typeof spans>,
);

/** Dates with their names. */
export const closedDates = listOf(
  z.object({
    date: text.refine(
      (given) => /^\d{4}-\d{2}-\d{2}$/.test(given) && DateTime.fromISO(given).isValid,
      because('must be a date like 2027-10-02', 'not-a-date'),
    ),
    name: textUpTo(MAX_DATE_NAME).pipe(storable(MAX_DATE_NAME)).default(''),
  }),
  MAX_DATES,
);

/** Sorts closed dates. */
export const inOrderOfDates = <D extends { readonly date: string }>(dates: readonly D[] | undefined) =>
  dates?.toSorted((one, other) => one.date.localeCompare(other.date));

export const exampleDates = [{ date: '2027-10-02', name: 'Rosh Hashanah' }];

/** Weekly hours in a response; null without any. */
export const weekHoursAnswer = (meaning: string, example: Record<string, string[]>) =>
  answered(
    z.object(Object.fromEntries(weekdays.map((day) => [day, z.array(z.string())]))).nullable(),
    meaning,
    example,
  );

/** Closed dates in a response. */
export const closedDatesAnswer = (meaning: string) =>
  answered(z.array(z.object({ date: z.string(), name: z.string() })), meaning, exampleDates);
