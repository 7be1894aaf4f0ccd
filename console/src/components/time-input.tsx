import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

/**
 * Returns a time of day as `HH:MM`, from the ways people write it: 8, 8:30, 830, 8:30 pm; undefined for what is no time.
 */
function readTime(typed: string): string | undefined {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?:[:.]?(\d{2}))?\s*([ap]m)?$/i.exec(typed.trim()) ?? [];
  if (hour === '' || Number(minute) > 59) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return hours > 23 ? undefined : `${String(hours).padStart(2, '0')}:${minute}`;
}

/**
 * Input for a time of day, `HH:MM`. All pages show times of 24 hours; the time input of a browser shows those of its own
 * language, which may have AM and PM.
 */
export function TimeInput({
  value = '',
  onChange,
  ...props
}: {
  readonly value?: string;
  readonly onChange: (time: string) => void;
} & Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'onBlur' | 'dir'>) {
  const [typed, setTyped] = useState<string>();
  function take(text: string) {
    const time = text.trim() === '' ? '' : readTime(text);
    if (time !== undefined) onChange(time);
  }
  return (
    <TextInput
      placeholder="00:00"
      inputMode="numeric"
      autoComplete="off"
      dir="ltr"
      maxLength={8}
      w={88}
      {...props}
      value={typed ?? value}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const isWhole = text === '' || /^\d\d:\d\d$/.test(text);
        if (isWhole) take(text);
      }}
      onBlur={() => {
        if (typed !== undefined) take(typed);
        setTyped(undefined);
      }}
    />
  );
}
