const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Up to here the plots have hours, beyond it days. */
const MAX_HOURLY_MS = 3 * DAY;
/** The service gives no more. */
const MAX_MS = 399 * DAY;

/** The time that the overview is about, as the service is asked for it, and the same so many weeks before. */
export interface Span {
  readonly query: SpanQuery;
  readonly before: SpanQuery;
  readonly step: 'hour' | 'day';
  readonly weeksBefore: number;
}

interface SpanQuery {
  readonly from: string;
  readonly to?: string;
  readonly step: 'hour' | 'day';
  readonly time_zone: string;
}

/**
 * The span of chosen days; the last 24 hours without any. What it is compared with ends on the same weekday and hour: a
 * week before, or as many weeks as it has begun.
 *
 * @param chosen ISO 8601, `from` included and `to` not
 */
export function spanOf(
  { from, to }: { readonly from?: string; readonly to?: string },
  now: number,
  zone: string,
): Span {
  const hour = Math.floor(now / HOUR) * HOUR;
  const end = to === undefined ? now : Math.min(Date.parse(to), now);
  const wanted = from === undefined ? (to === undefined ? hour - DAY + HOUR : end - DAY) : Date.parse(from);
  const begin = Math.min(Math.max(wanted, end - MAX_MS), end);
  const step = end - begin <= MAX_HOURLY_MS ? ('hour' as const) : ('day' as const);
  const weeksBefore = Math.max(1, Math.ceil((end - begin) / WEEK));
  const shift = weeksBefore * WEEK;
  const ask = (first: number, last?: number): SpanQuery => ({
    from: new Date(first).toISOString(),
    ...(last !== undefined && { to: new Date(last).toISOString() }),
    step,
    time_zone: zone,
  });
  const isOver = end < now;
  return {
    query: ask(begin, isOver ? end : undefined),
    // What is not over is compared up to the beginning of the hour, so that the query is the same for an hour.
    before: ask(begin - shift, Math.max((isOver ? end : hour) - shift, begin - shift)),
    step,
    weeksBefore,
  };
}
