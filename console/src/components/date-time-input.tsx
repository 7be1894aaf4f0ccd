import { Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTimeZone } from '../api/session-context.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { TimeInput } from './time-input.tsx';
import { instantOf, localOf } from './time-zone.ts';

/** Time of a day that was chosen before its time. */
const USUAL_TIME = '09:00';

/**
 * Inputs for a date and a time in the displayed time zone.
 *
 * @param value ISO 8601; '' for no time
 * @param onChange gets a value of the same form
 * @param future offers future days only
 */
export function DateTimeInput({
  value,
  onChange,
  future = false,
  label,
  error,
  required = false,
}: {
  readonly value: string;
  readonly onChange: (at: string) => void;
  readonly future?: boolean;
  readonly label: string;
  readonly error?: ReactNode;
  readonly required?: boolean;
}) {
  const { common } = useTexts();
  const zone = useTimeZone();
  const [date = '', time = ''] = value === '' ? [] : localOf(Date.parse(value), zone).slice(0, 16).split('T');
  const today = localOf(Date.now(), zone).slice(0, 10);
  const change = (day: string, at: string) =>
    onChange(day === '' ? '' : instantOf(`${day}T${at || USUAL_TIME}`, zone).toISOString());
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        label={label}
        description={common.zone(zone)}
        error={error}
        required={required}
        {...(future && { min: today })}
        value={date}
        onChange={(event) => change(event.currentTarget.value, time)}
        w={160}
      />
      <TimeInput
        label={common.time}
        error={Boolean(error)}
        value={time}
        onChange={(at) => change(date || today, at)}
      />
    </Group>
  );
}
