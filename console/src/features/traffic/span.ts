const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Up to here the plots have hours, beyond it days. */
const MAX_HOURLY_MS = 3 * DAY;
/** Maximum period that the service returns. */
const MAX_MS = 399 * DAY;

/** Period of the overview as query parameters, and the same period `weeksBefore` weeks earlier. */
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
 * The selected period; without a selection, the last 24 hours. The period for comparison ends on the same weekday and hour,
 * earlier by the number of weeks that the selection spans, rounded up.
 *
 * @param chosen ISO 8601, `from` inclusive, `to` exclusive
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
    // A period that has not ended is compared up to the start of the current hour, so that the query stays the same for an
    // hour.
    before: ask(begin - shift, Math.max((isOver ? end : hour) - shift, begin - shift)),
    step,
    weeksBefore,
  };
}
