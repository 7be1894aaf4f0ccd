import { Stack, Switch } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { HoursChoice } from './hours-choice.ts';
import { Part } from './part.tsx';
import { useComposerTexts } from './use-composer-texts.ts';

const SendingHours = lazy(() => import('./sending-hours.tsx'));
const USUAL_HOURS = '10:00-18:00';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The section of the composer with the time of a send, in the time zone that it names. */
export function Schedule({ children }: { readonly children: ReactNode }) {
  const { common } = useTexts();
  const { schedule } = useComposerTexts();
  const zone = useTimeZone();
  return (
    <Part title={schedule} lead={common.zone(zone)}>
      {children}
    </Part>
  );
}

/** Choice between now ('') and a time (ISO 8601). */
export function When({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (at: string) => void;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const inAnHour = () => new Date(Math.floor((Date.now() + HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  return (
    <Stack gap="xs">
      <ChoiceField
        label={t.when}
        choices={{ now: t.now, later: t.later }}
        value={value === '' ? 'now' : 'later'}
        onChange={(choice) => onChange(choice === 'now' ? '' : inAnHour())}
      />
      {value !== '' && (
        <DateTimeInput
          label={t.at}
          value={value}
          future
          error={error}
          onChange={(at) => {
            if (at !== '') onChange(at);
          }}
        />
      )}
    </Stack>
  );
}

/** Whether campaigns are not sent at every hour. */
const hasQuietHours = (policy: Answer<'/v1/sending-policy'> | undefined) =>
  policy !== undefined &&
  (policy.hours !== null || policy.closed_dates.length > 0 || policy.rest_days !== null);

/** The schedule of a send to many: its start and sending hours. */
export function WhenAndHours({
  at,
  hours,
  change,
  refused,
}: {
  readonly at: string;
  readonly hours: HoursChoice;
  readonly change: (changes: { at: string } | { hours: HoursChoice }) => void;
  readonly refused: { readonly at?: string | undefined; readonly hours?: string | undefined };
}) {
  const { send: t } = useTexts();
  const policy = useAnswer('/v1/sending-policy').data;
  const hasOwn = hours.hours !== '';
  return (
    <Schedule>
      <When value={at} onChange={(value) => change({ at: value })} error={refused.at} />
      <Switch
        label={t.ownHours}
        checked={hasOwn}
        disabled={hours.transactional}
        onChange={({ currentTarget: { checked } }) =>
          change({ hours: { ...hours, hours: checked ? USUAL_HOURS : '' } })
        }
      />
      {(hasOwn || policy?.allows_transactional || hasQuietHours(policy)) && (
        <Suspense>
          <SendingHours
            value={hours}
            onChange={(value) => change({ hours: value })}
            at={at}
            error={refused.hours}
          />
        </Suspense>
      )}
    </Schedule>
  );
}
