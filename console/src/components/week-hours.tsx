import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus } from 'lucide-react';
import { textsOfPages } from '../i18n/use-texts.tsx';
import { writtenText } from './direction.ts';
import { RemoveButton } from './remove-button.tsx';
import { Muted } from './text.tsx';
import { TimeInput } from './time-input.tsx';
import { weekHours as en } from './week-hours-texts.en.ts';
import { weekHours as he } from './week-hours-texts.he.ts';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Day = (typeof days)[number];

/** Hours as two fields show them: a day ends at 00:00 there, not at 24:00. */
interface Span {
  from: string;
  to: string;
}

/** Weekly hours and closed dates as form values. */
export interface WeekValues {
  hours: Record<Day, Span[]>;
  closed_dates: { date: string; name: string }[];
}

type ShownHours = Readonly<Record<string, readonly string[]>>;

const MAX_SPANS = 6;
const weekend: readonly Day[] = ['friday', 'saturday'];

/** The texts of hours and dates, which are fetched with the pages that show them. */
export const useWeekTexts = textsOfPages({ en, he });

const eachDay = <T,>(of: (day: Day) => T): Record<Day, T> =>
  Object.fromEntries(days.map((day) => [day, of(day)])) as Record<Day, T>;

function readSpan(text: string): Span {
  const [from = '', to = ''] = text.split('-');
  return { from, to: to === '24:00' ? '00:00' : to };
}

/** Weekly hours as form values; without stored hours, `usual` on working days. */
export const hourValues = (hours: ShownHours | null, usual: Span): WeekValues['hours'] =>
  eachDay((day) =>
    hours === null ? (weekend.includes(day) ? [] : [{ ...usual }]) : (hours[day] ?? []).map(readSpan),
  );

/** Hours as the service has them. */
export const hoursOf = (hours: WeekValues['hours']) =>
  eachDay((day) => hours[day].map(({ from, to }) => `${from}-${to === '00:00' ? '24:00' : to}`));

/** Errors of hours whose ends are their beginnings, by their paths. */
export const sameHours = (hours: WeekValues['hours'], problem: string): Record<string, string> =>
  Object.fromEntries(
    days.flatMap((day) =>
      hours[day].flatMap(({ from, to }, index) =>
        from === to && from !== '00:00' ? [[`hours.${day}.${index}.to`, problem] as const] : [],
      ),
    ),
  );

interface Part<Values extends WeekValues> {
  readonly form: UseFormReturnType<Values>;
}

/** The hours of each day. */
export function WeekHours<Values extends WeekValues>({
  form,
  usual,
}: Part<Values> & { readonly usual: Span }) {
  return (
    <Stack gap="sm">
      {days.map((day) => (
        <DayHours key={day} day={day} form={form} usual={usual} />
      ))}
    </Stack>
  );
}

function DayHours<Values extends WeekValues>({
  day,
  form,
  usual,
}: Part<Values> & { readonly day: Day; readonly usual: Span }) {
  const t = useWeekTexts();
  const name = t.days[day];
  const spans = form.values.hours[day];
  const path = `hours.${day}`;
  return (
    <Group align="flex-start" gap="sm" role="group" aria-label={name}>
      <Group w={{ base: '100%', xs: 136 }} justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} lh="36px">
          {name}
        </Text>
        {spans.length < MAX_SPANS && (
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={t.addSpan(name)}
            onClick={() => form.insertListItem(path, { ...usual } as never)}
          >
            <Plus size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Stack gap="xs">
        {spans.length === 0 && <Muted lh="36px">{t.closed}</Muted>}
        {spans.map(({ from, to }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have nothing but their place
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <TimeInput
              aria-label={t.from(name, index + 1)}
              required
              {...form.getInputProps(`${path}.${index}.from`)}
            />
            <TimeInput
              aria-label={t.to(name, index + 1)}
              required
              {...(to !== '' && to <= from && to !== '00:00' && { description: t.overnight })}
              inputWrapperOrder={['input', 'description', 'error']}
              {...form.getInputProps(`${path}.${index}.to`)}
            />
            <RemoveButton
              label={t.removeSpan(name, index + 1)}
              onClick={() => form.removeListItem(path, index)}
            />
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

/** Dates with their names. */
export function ClosedDates<Values extends WeekValues>({ form }: Part<Values>) {
  const t = useWeekTexts();
  const path = 'closed_dates';
  return (
    <Stack gap="xs" role="group" aria-label={t.dates}>
      <div>
        <Text size="sm" fw={600}>
          {t.dates}
        </Text>
        <Muted size="xs">{t.datesHint}</Muted>
      </div>
      {form.values.closed_dates.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a form have nothing but their place
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            type="date"
            aria-label={t.date}
            required
            {...form.getInputProps(`${path}.${index}.date`)}
          />
          <TextInput
            aria-label={t.dateName}
            placeholder={t.dateName}
            maxLength={60}
            flex={1}
            miw={0}
            {...writtenText}
            {...form.getInputProps(`${path}.${index}.name`)}
          />
          <RemoveButton label={t.removeDate(index + 1)} onClick={() => form.removeListItem(path, index)} />
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => form.insertListItem(path, { date: '', name: '' } as never)}
        >
          {t.addDate}
        </Button>
      </div>
    </Stack>
  );
}
