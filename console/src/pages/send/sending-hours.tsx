import { Alert, Checkbox, Group } from '@mantine/core';
import { Moon } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { TimeInput } from '../../components/time-input.tsx';
import { Time } from '../../components/values.tsx';
import { DayHours } from '../../features/sending-hours/day-hours.tsx';
import { textsOfPages } from '../../i18n/use-texts.tsx';
import type { HoursChoice } from './hours-choice.ts';
import { sendingHours as en } from './sending-hours-texts.en.ts';
import { sendingHours as he } from './sending-hours-texts.he.ts';

const useHoursTexts = textsOfPages({ en, he });

/**
 * Sending hours of a campaign, and the time at which the policy of the account lets it start. Loaded only when one of both
 * exists.
 */
export default function SendingHours({
  value,
  onChange,
  at,
  error,
}: {
  readonly value: HoursChoice;
  readonly onChange: (value: HoursChoice) => void;
  /** Time of a scheduled send, ISO 8601; '' is now. */
  readonly at: string;
  readonly error: string | undefined;
}) {
  const t = useHoursTexts();
  const policy = useAnswer('/v1/sending-policy').data;
  const { hours, transactional } = value;
  const [from = '', to = ''] = hours.split('-');
  const setHours = (changed: string) => onChange({ ...value, hours: changed });
  return (
    <>
      {hours !== '' && (
        <Group gap="xs" align="flex-start" role="group" aria-label={t.hours}>
          <TimeInput
            aria-label={t.from}
            value={from}
            onChange={(time) => setHours(`${time}-${to}`)}
            error={error}
          />
          <TimeInput aria-label={t.to} value={to} onChange={(time) => setHours(`${from}-${time}`)} />
        </Group>
      )}
      {policy && !transactional && (
        <DayHours at={at} hours={hours} byRecipient={policy.zone === 'recipient'} />
      )}
      {policy?.allows_transactional && (
        <Checkbox
          label={t.transactional}
          description={t.transactionalHint}
          checked={transactional}
          disabled={hours !== ''}
          onChange={(event) => onChange({ ...value, transactional: event.currentTarget.checked })}
        />
      )}
      {policy && !policy.permitted_now && at === '' && !transactional && (
        <Alert color="blue" icon={<Moon aria-hidden />} role="status">
          {policy.outside_hours === 'wait' ? t.waits : t.refused}{' '}
          {policy.permitted_from !== null && <Time at={policy.permitted_from} />}
        </Alert>
      )}
    </>
  );
}
