import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTimeZone } from '../api/session-context.ts';
import { localeOf } from '../i18n/languages.ts';
import { useLanguage, useTexts } from '../i18n/use-texts.tsx';
import { instantOf, localOf } from './time-zone.ts';
import type { Filters } from './use-filters.ts';

type Days = Readonly<Record<'from' | 'until', string>>;
const presets = ['today', 'yesterday', 'week', 'month', 'thisMonth', 'lastMonth'] as const;
/** Option for a period that is not one of the presets. */
const OWN = 'own';

/** The period that the filters `from` and `until` describe: a preset, other dates, or none. */
function usePeriod({ from, until }: Days) {
  const today = localOf(Date.now(), useTimeZone()).slice(0, 10);
  const spans = presets.map((preset) => [preset, daysOf(preset, today)] as const);
  const preset = spans.find(([, days]) => days.from === from && days.until === until)?.[0];
  return { spans, preset, isNone: from === '' && until === '' };
}

/** Returns the period of the filters in words, such as "Last 7 days" or "1 Jan 2026 – 3 Jan 2026". */
export function usePeriodText(days: Days): string {
  const { filters: t } = useTexts();
  const language = useLanguage();
  const { preset, isNone } = usePeriod(days);
  if (isNone) return t.anyTime;
  if (preset !== undefined) return t.presets[preset];
  const textOf = (day: string) =>
    isDay(day)
      ? new Date(day).toLocaleDateString(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' })
      : '';
  if (days.until === '') return `${t.from} ${textOf(days.from)}`;
  if (days.from === '') return `${t.until} ${textOf(days.until)}`;
  return `${textOf(days.from)} – ${textOf(days.until)}`;
}

/**
 * The filters `from` and `until` (days of the account's time zone, both inclusive), with presets for common periods. The dates
 * are shown when the person chooses them.
 *
 * @param none period shown without filters; the default is any time
 */
export function DayFilters({
  filters,
  none,
  autoFocus,
}: {
  readonly filters: Filters<'from' | 'until'>;
  readonly none?: string;
  /** Whether a popover that opens gives the period the focus. */
  readonly autoFocus?: boolean;
}) {
  const { filters: t } = useTexts();
  const { spans, preset: chosen, isNone } = usePeriod(filters.values);
  // Most people choose a period, and the two dates need as much room as two filters.
  const [isOpened, setOpened] = useState(false);
  const isOwn = isOpened || (!isNone && chosen === undefined);
  const field = (name: 'from' | 'until') => (
    <TextInput
      type="date"
      label={t[name]}
      value={filters.values[name]}
      onChange={(event) => filters.set(name, event.currentTarget.value)}
      w={142}
    />
  );
  return (
    <>
      <NativeSelect
        label={t.period}
        data-autofocus={autoFocus || undefined}
        value={isOwn ? OWN : (chosen ?? '')}
        onChange={(event) => {
          const preset = event.currentTarget.value;
          setOpened(preset === OWN);
          if (preset === OWN) return;
          filters.setAll(spans.find(([one]) => one === preset)?.[1] ?? { from: '', until: '' });
        }}
        data={[
          { value: '', label: none ?? t.anyTime },
          ...presets.map((value) => ({ value, label: t.presets[value] })),
          { value: OWN, label: t.ownDays },
        ]}
      />
      {isOwn && field('from')}
      {isOwn && field('until')}
    </>
  );
}

/** The first and the last day of a period, as `2026-03-24`. */
function daysOf(preset: (typeof presets)[number], today: string): Days {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const dayOf = (...date: [year: number, month: number, day: number]) =>
    new Date(Date.UTC(...date)).toISOString().slice(0, 10);
  switch (preset) {
    case 'today':
      return { from: today, until: today };
    case 'yesterday':
      return { from: daysBefore(today, 1), until: daysBefore(today, 1) };
    case 'week':
      return { from: daysBefore(today, 6), until: today };
    case 'month':
      return { from: daysBefore(today, 29), until: today };
    case 'thisMonth':
      return { from: `${today.slice(0, 7)}-01`, until: today };
    case 'lastMonth':
      return { from: dayOf(year, month - 2, 1), until: dayOf(year, month - 1, 0) };
  }
}

/** Converts the days of DayFilters to query parameters: ISO 8601, `from` inclusive, `to` exclusive. */
export function useTimeSpan({ from, until }: { readonly from: string; readonly until: string }): {
  readonly from?: string;
  readonly to?: string;
} {
  const zone = useTimeZone();
  return {
    ...(isDay(from) && { from: startOfDay(from, zone) }),
    ...(isDay(until) && { to: startOfDay(daysBefore(until, -1), zone) }),
  };
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);

const startOfDay = (day: string, zone: string): string => instantOf(`${day}T00:00:00`, zone).toISOString();
