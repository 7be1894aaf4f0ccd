import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Plus, X } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Muted } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { type Settings, useChangeSettings } from './change-settings.ts';
import { useSettingsTexts } from './texts.ts';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Day = (typeof days)[number];

/** Hours as two fields show them: a day ends at 00:00 there, not at 24:00. */
interface Span {
  from: string;
  to: string;
}

interface Values extends Record<string, unknown> {
  mode: 'always' | 'hours';
  hours: Record<Day, Span[]>;
  closed_dates: { date: string; name: string }[];
  away_message: string;
}

const MAX_SPANS = 6;
const usual: Span = { from: '09:00', to: '17:00' };
const weekend: readonly Day[] = ['friday', 'saturday'];

const eachDay = <T,>(of: (day: Day) => T): Record<Day, T> =>
  Object.fromEntries(days.map((day) => [day, of(day)])) as Record<Day, T>;

function valuesOf({ hours, closed_dates, away_message }: Settings): Values {
  const read = (text: string): Span => {
    const [from = '', to = ''] = text.split('-');
    return { from, to: to === '24:00' ? '00:00' : to };
  };
  return {
    mode: hours === null ? 'always' : 'hours',
    hours: eachDay((day) =>
      hours === null ? (weekend.includes(day) ? [] : [{ ...usual }]) : hours[day]!.map(read),
    ),
    closed_dates,
    away_message: away_message ?? '',
  };
}

function bodyOf({ mode, hours, closed_dates, away_message }: Values) {
  const written = ({ from, to }: Span) => `${from}-${to === '00:00' ? '24:00' : to}`;
  return {
    hours: mode === 'always' ? null : eachDay((day) => hours[day].map(written)),
    closed_dates,
    away_message: away_message.trim() === '' ? null : away_message,
  };
}

/** When it is open, on which dates it is not, and what clients are told then. */
export function OpeningHours({ settings }: { readonly settings: Settings }) {
  const { hours: t } = useSettingsTexts();
  const { common } = useTexts();
  const change = useChangeSettings();
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    validate: (values) => {
      if (values.mode === 'always') return {};
      const same = days.flatMap((day) =>
        values.hours[day].flatMap(({ from, to }, index) =>
          from === to && from !== '00:00' ? [[`hours.${day}.${index}.to`, t.same] as const] : [],
        ),
      );
      return Object.fromEntries(same);
    },
  });
  const submission = useSubmission(form, (values) => change(bodyOf(values)));
  const state = settings.is_open ? (
    <StatusBadge tone="good">{t.openNow}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{t.closedNow}</StatusBadge>
  );
  return (
    <Card id="hours" title={t.hours} lead={t.hoursHint(settings.time_zone)} actions={state}>
      <Form submission={submission} action={common.save} narrow>
        <SegmentedControl
          aria-label={t.mode}
          data={[
            { value: 'always', label: t.always },
            { value: 'hours', label: t.byHours },
          ]}
          {...form.getInputProps('mode')}
        />
        {form.values.mode === 'hours' && (
          <Stack gap="sm">
            {days.map((day) => (
              <DayHours key={day} day={day} form={form} />
            ))}
          </Stack>
        )}
        <ClosedDates form={form} />
        {fieldsOf(form).text('away_message', t.away, {
          written: true,
          maxLength: 1_000,
          lines: 2,
          hint: t.awayHint,
        })}
      </Form>
    </Card>
  );
}

interface Part {
  readonly form: UseFormReturnType<Values>;
}

function DayHours({ day, form }: Part & { readonly day: Day }) {
  const { hours: t } = useSettingsTexts();
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
            onClick={() => form.insertListItem(path, { ...usual })}
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
            <TextInput
              type="time"
              aria-label={t.from(name, index + 1)}
              required
              {...form.getInputProps(`${path}.${index}.from`)}
            />
            <TextInput
              type="time"
              aria-label={t.to(name, index + 1)}
              required
              {...(to !== '' && to <= from && to !== '00:00' && { description: t.overnight })}
              inputWrapperOrder={['input', 'description', 'error']}
              {...form.getInputProps(`${path}.${index}.to`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={t.removeSpan(name, index + 1)}
              onClick={() => form.removeListItem(path, index)}
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}

function ClosedDates({ form }: Part) {
  const { hours: t } = useSettingsTexts();
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
          <ActionIcon
            variant="subtle"
            color="gray"
            size="input-sm"
            aria-label={t.removeDate(index + 1)}
            onClick={() => form.removeListItem(path, index)}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => form.insertListItem(path, { date: '', name: '' })}
        >
          {t.addDate}
        </Button>
      </div>
    </Stack>
  );
}
