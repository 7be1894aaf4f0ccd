import { SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Card } from '../../components/card.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { StatusBadge } from '../../components/values.tsx';
import {
  ClosedDates,
  hoursOf,
  hourValues,
  sameHours,
  useWeekTexts,
  WeekHours,
  type WeekValues,
} from '../../components/week-hours.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Settings, useChangeSettings } from './change-settings.ts';
import { useSettingsTexts } from './texts.ts';

interface Values extends Record<string, unknown>, WeekValues {
  mode: 'always' | 'hours';
  away_message: string;
}

const usual = { from: '09:00', to: '17:00' };

const valuesOf = ({ hours, closed_dates, away_message }: Settings): Values => ({
  mode: hours === null ? 'always' : 'hours',
  hours: hourValues(hours, usual),
  closed_dates,
  away_message: away_message ?? '',
});

const bodyOf = ({ mode, hours, closed_dates, away_message }: Values) => ({
  hours: mode === 'always' ? null : hoursOf(hours),
  closed_dates,
  away_message: away_message.trim() === '' ? null : away_message,
});

/** Business hours, closed dates, and the automatic reply outside them. */
export function OpeningHours({ settings }: { readonly settings: Settings }) {
  const { hours: t } = useSettingsTexts();
  const { same } = useWeekTexts();
  const { common } = useTexts();
  const change = useChangeSettings();
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    validate: ({ mode, hours }) => (mode === 'always' ? {} : sameHours(hours, same)),
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
        {form.values.mode === 'hours' && <WeekHours form={form} usual={usual} />}
        <ClosedDates form={form} />
        {fieldsOf(form).text('away_message', t.away, {
          written: true,
          maxLength: 1_000,
          lines: 2,
          hint: settings.away_stopped === null ? t.awayHint : t.awayStopped,
        })}
      </Form>
    </Card>
  );
}
