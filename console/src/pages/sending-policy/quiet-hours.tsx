import { Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import {
  ClosedDates,
  hoursOf,
  hourValues,
  sameHours,
  useWeekTexts,
  WeekHours,
  type WeekValues,
} from '../../components/week-hours.tsx';
import { DayHours } from '../../features/sending-hours/day-hours.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Policy, useChangePolicy, usePolicyTexts } from './policy.ts';

interface Values extends Record<string, unknown>, WeekValues {
  mode: 'always' | 'byHours';
  zone: Policy['zone'];
  outside_hours: Policy['outside_hours'];
}

const usual = { from: '08:00', to: '20:00' };

/** The hours of each day, closed dates, and what is done outside them. */
export function QuietHours({ policy }: { readonly policy: Policy }) {
  const { hours: t } = usePolicyTexts();
  const { same } = useWeekTexts();
  const { common } = useTexts();
  const change = useChangePolicy();
  const { hours, zone, closed_dates, outside_hours } = policy;
  const form = useForm<Values>({
    initialValues: {
      mode: hours === null ? 'always' : 'byHours',
      hours: hourValues(hours, usual),
      zone,
      closed_dates,
      outside_hours,
    },
    validate: (values) => (values.mode === 'always' ? {} : sameHours(values.hours, same)),
  });
  const submission = useSubmission(form, ({ mode, ...values }) =>
    change({ ...values, hours: mode === 'always' ? null : hoursOf(values.hours) }),
  );
  return (
    <Card id="hours" title={t.title} lead={t.hint(policy.time_zone)} actions={<Permitted policy={policy} />}>
      {policy.hours !== null && <DayHours byRecipient={zone === 'recipient'} />}
      <Form submission={submission} action={common.save} narrow>
        <ChoiceField
          label={t.mode}
          choices={{ always: t.always, byHours: t.byHours }}
          {...form.getInputProps('mode')}
        />
        {form.values.mode === 'byHours' && <WeekHours form={form} usual={usual} />}
        <ClosedDates form={form} />
        <ChoiceField
          label={t.zone}
          choices={t.zones}
          hint={form.values.zone === 'recipient' ? t.zoneHint : undefined}
          {...form.getInputProps('zone')}
        />
        <ChoiceField label={t.outside} choices={t.actions} {...form.getInputProps('outside_hours')} />
      </Form>
    </Card>
  );
}

/** Whether campaigns go now, or when they do next. */
function Permitted({ policy: { permitted_now, permitted_from } }: { readonly policy: Policy }) {
  const t = usePolicyTexts();
  if (permitted_now) return <StatusBadge tone="good">{t.permittedNow}</StatusBadge>;
  if (permitted_from === null) return <StatusBadge tone="bad">{t.never}</StatusBadge>;
  return (
    <Group gap={4} component="span" fz="sm">
      {t.permittedFrom} <Time at={permitted_from} />
    </Group>
  );
}
