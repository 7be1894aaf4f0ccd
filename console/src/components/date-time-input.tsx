import { TextInput, type TextInputProps } from '@mantine/core';
import { useTimeZone } from '../api/session-context.ts';
import { useTexts } from '../i18n/texts.tsx';
import { instantOf, localOf } from './time-zone.ts';

/**
 * A date and time, typed as clocks of the shown time zone have it.
 *
 * @param value ISO 8601; '' for none
 * @param onChange gets the same
 * @param future only times to come are offered
 */
export function DateTimeInput({
  value,
  onChange,
  future = false,
  ...props
}: {
  readonly value: string;
  readonly onChange: (at: string) => void;
  readonly future?: boolean;
} & Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'description'>) {
  const { common } = useTexts();
  const zone = useTimeZone();
  return (
    <TextInput
      type="datetime-local"
      description={common.zone(zone)}
      value={value === '' ? '' : localOf(Date.parse(value), zone)}
      {...(future && { min: localOf(Date.now(), zone) })}
      onChange={(event) => {
        const local = event.currentTarget.value;
        onChange(local === '' ? '' : instantOf(local, zone).toISOString());
      }}
      {...props}
    />
  );
}
