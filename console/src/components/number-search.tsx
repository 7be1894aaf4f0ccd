import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';

const PAUSE_MS = 250;

/** Looks for numbers by what they begin with, shortly after the last key. `value` is what is looked for now. */
export function NumberSearch({
  label,
  hint,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onSearch: (digits: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), PAUSE_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={hint ?? label}
      dir="ltr"
      inputMode="tel"
      maxLength={30}
      leftSection={<Search size={16} aria-hidden />}
      w={{ base: '100%', xs: 260 }}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
