import { type OpeningHours, spansFrom, type WeekHours, weekdays } from '../week-hours.ts';
import type { RestDays } from './policy.ts';
import { restSpansFrom } from './rest-days.ts';

/** When something may be sent to somebody. All of it has to permit it. */
export interface Schedule {
  readonly hours: WeekHours | null;
  /** Local dates as `2027-10-02`. */
  readonly closedDates: ReadonlySet<string>;
  /** IANA names of the zones of the hours and dates: where the recipient may be. */
  readonly zones: readonly string[];
  readonly restDays: RestDays | null;
  /** Hours of each day as `10:00-18:00`, beside the others; null: none. */
  readonly ownHours: string | null;
}

/** A time in which it is permitted, in milliseconds since the epoch; `ends` is not in it, and may be permitted again. */
export interface Span {
  readonly begins: number;
  readonly ends: number;
}

/** What does not open within this is taken for never opening. */
export const HORIZON_DAYS = 60;
const HORIZON_MS = HORIZON_DAYS * 86_400_000;

/** The first time from `at` on in which it is permitted: it contains `at` when that is. Null: not within HORIZON_DAYS. */
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

const noDates: ReadonlySet<string> = new Set();

const daily = (hours: string): WeekHours =>
  Object.fromEntries(weekdays.map((day) => [day, [hours]])) as unknown as WeekHours;

/** Times of a week's hours that end after `at`: those that overlap are one. */
function* weekly(opening: OpeningHours, at: number): Generator<Span> {
  let open: Span | undefined;
  for (const { begins, ends } of spansFrom(opening, at, HORIZON_DAYS)) {
    // Skipped by daylight saving, or before.
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

/** Times between those of rest, from `at` on. */
function* outsideRest(rest: RestDays, at: number): Generator<Span> {
  let begins = at;
  for (const span of restSpansFrom(rest, at, HORIZON_DAYS)) {
    if (span.ends <= begins) continue;
    if (span.begins > begins) yield { begins, ends: span.begins };
    begins = span.ends;
  }
}

/** The times that are in one of each. */
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
