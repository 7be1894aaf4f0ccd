import type { Answer } from '../../api/operations.ts';

export type Overview = Answer<'/v1/overview'>;
type OverviewRow = Overview['rows'][number];
type Counts = Omit<Overview['totals'][number], 'channel'>;

const HOUR = 3_600_000;

/** Sums the figures of the selected channels; `spent` in credits. */
export function sumOf(rows: readonly Counts[]): Omit<Counts, 'spent'> & { readonly spent: number } {
  const sum = (name: Exclude<keyof Counts, 'spent'>) => rows.reduce((all, row) => all + row[name], 0);
  return {
    accepted: sum('accepted'),
    sent: sum('sent'),
    waiting: sum('waiting'),
    submitted: sum('submitted'),
    delivered: sum('delivered'),
    read: sum('read'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
    parts: sum('parts'),
    spent: rows.reduce((all, row) => all + Number(row.spent), 0),
  };
}

/** The share of final statuses that is a delivery, from 0 to 1; undefined without any. */
export function rateOf({
  delivered,
  read,
  failed,
}: Pick<Counts, 'delivered' | 'read' | 'failed'>): number | undefined {
  const ended = delivered + read + failed;
  return ended === 0 ? undefined : (delivered + read) / ended;
}

/** One hour or day of the plots. */
export interface Point {
  /** Start of the interval, ISO 8601. */
  readonly at: string;
  /** Label of the axis. */
  readonly label: string;
  readonly delivered: number;
  readonly underWay: number;
  readonly failed: number;
  /** Cost in credits, over the selected channels. */
  readonly spent: number;
  /** The same by channel. */
  readonly spentOn: Readonly<Record<string, number>>;
}

/** Whether a channel is selected: `chosen` is a channel, or '' for all. */
export const isLookedAt =
  (chosen: string) =>
  ({ channel }: { readonly channel: string }): boolean =>
    chosen === '' || channel === chosen;

/** Every hour or day from the first to the last, those without a message included. */
export function pointsOf(
  { from, to, rows }: Pick<Overview, 'from' | 'to' | 'rows'>,
  step: 'hour' | 'day',
  chosen: string,
  zone: string,
  language: string,
): Point[] {
  const label = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: zone,
    ...(step === 'hour' ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }),
  });
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  // Days are grouped by date, because their length varies when clocks change.
  const keyOf = (at: number) => (step === 'hour' ? String(Math.floor(at / HOUR)) : day.format(at));
  const found = Map.groupBy(rows.filter(isLookedAt(chosen)), ({ at }) => keyOf(Date.parse(at)));
  const points: Point[] = [];
  const length = step === 'hour' ? HOUR : 24 * HOUR;
  // Starts in the middle of each interval, so that an hour more or less stays on its day.
  for (let at = Date.parse(from) + length / 2; at < Date.parse(to); at += length) {
    const some = found.get(keyOf(at)) ?? [];
    const sum = sumOf(some);
    points.push({
      at: new Date(at - length / 2).toISOString(),
      label: label.format(at - (step === 'hour' ? length / 2 : 0)),
      delivered: sum.delivered + sum.read,
      underWay: sum.waiting + sum.submitted,
      failed: sum.failed,
      spent: sum.spent,
      spentOn: spentByChannel(some),
    });
  }
  return points;
}

function spentByChannel(rows: readonly OverviewRow[]): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const { channel, spent: more } of rows) spent[channel] = (spent[channel] ?? 0) + Number(more);
  return spent;
}

import { localeOf } from '../../i18n/languages.ts';
