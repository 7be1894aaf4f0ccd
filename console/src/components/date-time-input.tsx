import { TextInput, type TextInputProps } from '@mantine/core';
import { useTimeZone } from '../api/session-context.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { instantOf, localOf } from './time-zone.ts';

/**
 * Input for a date and a time in the displayed time zone.
 *
 * @param value ISO 8601; '' for no time
 * @param onChange gets a value of the same form
 * @param future offers future times only
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
