import { type OpeningHours, spansFrom, type WeekHours, weekdays } from '../../kit/week-hours.ts';
import type { RestDays } from './policy.ts';
import { restSpansFrom } from './rest-days.ts';

/** Conditions for sending to a recipient; all of them must permit it. */
export interface Schedule {
  readonly hours: WeekHours | null;
  /** Local dates as `2027-10-02`. */
  readonly closedDates: ReadonlySet<string>;
  /** Possible time zones of the recipient, IANA names; hours and dates must permit the message in each. */
  readonly zones: readonly string[];
  readonly restDays: RestDays | null;
  /** Additional hours of each day, like `10:00-18:00`; null: no further limit. */
  readonly ownHours: string | null;
}

/** A permitted period, in milliseconds since the epoch; `ends` is exclusive, and the next period may begin there. */
export interface Span {
  readonly begins: number;
  readonly ends: number;
}

/** Days to search for a permitted time; later ones count as never. */
export const HORIZON_DAYS = 60;
const HORIZON_MS = HORIZON_DAYS * 86_400_000;

/**
 * Returns the first permitted period from `at` on, which contains `at` if that is permitted; null if no period begins
 * within HORIZON_DAYS.
 */
export function firstPermitted(schedule: Schedule, at: number): Span | null {
  const { hours, closedDates, zones, restDays, ownHours } = schedule;
  const all: Generator<Span>[] = zones.flatMap((zone) => [
    ...(hours === null && closedDates.size === 0 ? [] : [weekly({ hours, closedDates, zone }, at)]),
    ...(ownHours === null ? [] : [weekly({ hours: daily(ownHours), closedDates: noDates, zone }, at)]),
  ]);
  if (restDays) all.push(outsideRest(restDays, at));
  if (all.length === 0) return { begins: at, ends: at + HORIZON_MS };
  for (const span of common(all)) if (span.ends > at) return span;
  return null;
}

/** Returns the permitted periods between two times, cut to them. */
export function permittedWithin(schedule: Schedule, { begins, ends }: Span): Span[] {
  const found: Span[] = [];
  let span = firstPermitted(schedule, begins);
  while (span && span.begins < ends) {
    found.push({ begins: Math.max(span.begins, begins), ends: Math.min(span.ends, ends) });
    span = span.ends < ends ? firstPermitted(schedule, span.ends) : null;
  }
  return found;
}

const noDates: ReadonlySet<string> = new Set();

const daily = (hours: string): WeekHours =>
  Object.fromEntries(weekdays.map((day) => [day, [hours]])) as unknown as WeekHours;

/** Yields the periods of weekly hours that end after `at`, with overlapping ones merged. */
function* weekly(opening: OpeningHours, at: number): Generator<Span> {
  let open: Span | undefined;
  for (const { begins, ends } of spansFrom(opening, at, HORIZON_DAYS)) {
    // Skipped by daylight saving time, or in the past.
    if (ends <= begins || ends <= at) continue;
    if (open && begins < open.ends) {
      open = { begins: open.begins, ends: Math.max(open.ends, ends) };
      continue;
    }
    if (open) yield open;
    open = { begins, ends };
  }
  if (open) yield open;
}

/** Yields the periods outside rest, from `at` on. */
function* outsideRest(rest: RestDays, at: number): Generator<Span> {
  let begins = at;
  for (const span of restSpansFrom(rest, at, HORIZON_DAYS)) {
    if (span.ends <= begins) continue;
    if (span.begins > begins) yield { begins, ends: span.begins };
    begins = span.ends;
  }
}

/** Yields the intersection of all periods. */
function* common(all: readonly Generator<Span>[]): Generator<Span> {
  const heads = all.map((spans) => spans.next().value as Span | undefined);
  for (;;) {
    let begins = Number.NEGATIVE_INFINITY;
    let ends = Number.POSITIVE_INFINITY;
    for (const head of heads) {
      if (!head) return;
      begins = Math.max(begins, head.begins);
      ends = Math.min(ends, head.ends);
    }
    if (begins < ends) yield { begins, ends };
    for (const [index, head] of heads.entries()) {
      if (head!.ends === ends) heads[index] = all[index]!.next().value as Span | undefined;
    }
  }
}
