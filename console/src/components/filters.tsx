import { Group, NativeSelect, Paper, TextInput } from '@mantine/core';
import { FilterX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useTimeZone } from '../api/session-context.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Action } from './action.tsx';
import { writtenText } from './direction.ts';
import { choicesOf } from './form.tsx';
import { instantOf } from './time-zone.ts';

/** Filters of a list, each a text, '' when it is not set. */
interface Filters<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly any: boolean;
  set(name: Name, value: string): void;
  clear(): void;
}

/** Whether what stands in the address of a page is one of those that there are. */
export const isOneOf = <T extends string>(all: readonly T[], value: string): value is T =>
  (all as readonly string[]).includes(value);

/** Filters that stand in the address of the page, so that what is seen can be sent to a colleague. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  return {
    values,
    any: names.some((name) => values[name] !== ''),
    set: (name, value) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    clear: () =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const name of names) after.delete(name);
          return after;
        },
        { replace: true },
      ),
  };
}

/** Filters beside each other, above their list. */
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

/** A filter that is typed, and taken when one leaves it or presses Enter. `width` in pixels; `written`: a name, not a code. */
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

/** The filters `from` and `until`: days of the account's time zone, both of them included. */
export function DayFilters({ filters }: { readonly filters: Filters<'from' | 'until'> }) {
  const { filters: t } = useTexts();
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
      {field('from')}
      {field('until')}
    </>
  );
}

/** The days of DayFilters as the service takes them: ISO 8601, `from` included and `to` not. */
export function useTimeSpan({ from, until }: { readonly from: string; readonly until: string }): {
  readonly from?: string;
  readonly to?: string;
} {
  const zone = useTimeZone();
  return {
    ...(isDay(from) && { from: startOfDay(from, zone) }),
    ...(isDay(until) && { to: startOfDay(dayAfter(until), zone) }),
  };
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

const startOfDay = (day: string, zone: string): string => instantOf(`${day}T00:00:00`, zone).toISOString();
