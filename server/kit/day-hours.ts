import { DateTime } from 'luxon';

const DAY = 24 * 60;
const shape = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/**
 * A part of the day, in minutes from midnight; `to` is exclusive. Continues after midnight if `to` is not later than
 * `from`.
 */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

/** Parses `08:00-21:00`; `00:00-24:00` is the whole day. Returns null for an invalid text. */
export function parseHours(text: string): Hours | null {
  const match = shape.exec(text);
  if (!match) return null;
  const [fromHour, fromMinute, toHour, toMinute] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  const isTime = fromMinute < 60 && toMinute < 60 && from < DAY && to <= DAY;
  return isTime && from !== to ? { from, to } : null;
}

/** Returns the first time from `at` on within the hours in `zone`; both in milliseconds since the epoch. */
export function firstWithin({ from, to }: Hours, at: number, zone: string): number {
  const local = DateTime.fromMillis(at, { zone });
  const minute = local.hour * 60 + local.minute;
  const isWithin = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (isWithin) return at;
  const day = minute < from ? local : local.plus({ days: 1 });
  // Times skipped by daylight saving are moved forward.
  return day
    .startOf('day')
    .set({ hour: Math.floor(from / 60), minute: from % 60 })
    .toMillis();
}
