import { Group, NativeSelect, Paper, TextInput } from '@mantine/core';
import { FilterX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useTimeZone } from '../api/session-context.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { Action } from './action.tsx';
import { choicesOf } from './choices.ts';
import { writtenText } from './direction.ts';
import { instantOf, localOf } from './time-zone.ts';

/** Filters of a list, each a text, '' when it is not set. */
interface Filters<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly any: boolean;
  set(name: Name, value: string): void;
  setAll(values: Readonly<Partial<Record<Name, string>>>): void;
  clear(): void;
}

/** Whether a value from the address of a page is one of the permitted values. */
export const isOneOf = <T extends string>(all: readonly T[], value: string): value is T =>
  (all as readonly string[]).includes(value);

/** Filters kept in the address of the page, so that a colleague who opens the link sees the same rows. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const change = (changes: Readonly<Partial<Record<string, string>>>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value = ''] of Object.entries(changes)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return {
    values,
    any: names.some((name) => values[name] !== ''),
    set: (name, value) => change({ [name]: value }),
    setAll: change,
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
  };
}

/** Row of filters above a list. */
export function FilterBar({
  filters,
  children,
}: {
  readonly filters: Pick<Filters<string>, 'any' | 'clear'>;
  readonly children: ReactNode;
}) {
  const { filters: t } = useTexts();
  return (
    <Paper withBorder p="sm" role="search" aria-label={t.label}>
      <Group gap="sm" align="flex-end">
        {children}
        {filters.any && (
          <Action icon={FilterX} variant="subtle" color="gray" onClick={filters.clear}>
            {t.clear}
          </Action>
        )}
      </Group>
    </Paper>
  );
}

/** A filter of a few choices; `choices` are names by value, or choices in their order. */
export function FilterSelect<Name extends string>({
  filters,
  name,
  label,
  choices,
}: {
  readonly filters: Filters<Name>;
  readonly name: Name;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>> | readonly { value: string; label: string }[];
}) {
  const { filters: t } = useTexts();
  const known = Array.isArray(choices) ? choices : choicesOf(choices as Readonly<Record<string, string>>);
  return (
    <NativeSelect
      label={label}
      value={filters.values[name]}
      onChange={(event) => filters.set(name, event.currentTarget.value)}
      data={[{ value: '', label: t.all }, ...known]}
    />
  );
}

/**
 * A text filter, applied when the person leaves the input or presses Enter. `width` in pixels; `written` for names rather
 * than codes.
 */
export function FilterText<Name extends string>({
  filters,
  name,
  label,
  width,
  maxLength,
  written = false,
}: {
  readonly filters: Filters<Name>;
  readonly name: Name;
  readonly label: string;
  readonly width: number;
  readonly maxLength?: number;
  readonly written?: boolean;
}) {
  const value = filters.values[name];
  const take = (input: HTMLInputElement) => filters.set(name, input.value.trim());
  return (
    <TextInput
      key={String(value === '')}
      label={label}
      {...(written ? writtenText : { dir: 'ltr' })}
      {...(maxLength !== undefined && { maxLength })}
      w={width}
      defaultValue={value}
      onBlur={(event) => take(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(event.currentTarget);
      }}
    />
  );
}

type Days = Readonly<Record<'from' | 'until', string>>;
const presets = ['today', 'yesterday', 'week', 'month', 'thisMonth', 'lastMonth'] as const;
/** Option for a period that is not one of the presets. */
const OWN = 'own';

/**
 * The filters `from` and `until` (days of the account's time zone, both inclusive), with presets for common periods. The dates
 * are shown when the person chooses them.
 *
 * @param none period shown without filters; the default is any time
 */
export function DayFilters({
  filters,
  none,
}: {
  readonly filters: Filters<'from' | 'until'>;
  readonly none?: string;
}) {
  const { filters: t } = useTexts();
  const zone = useTimeZone();
  const today = localOf(Date.now(), zone).slice(0, 10);
  const { from, until } = filters.values;
  const spans = presets.map((preset) => [preset, daysOf(preset, today)] as const);
  const chosen = spans.find(([, days]) => days.from === from && days.until === until)?.[0];
  const isNone = from === '' && until === '';
  // The two dates take a third of the row, and most people choose a period.
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
