import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';

const PAUSE_MS = 250;

/** Searches shortly after the last key stroke. `value` is the current search term. */
export function SearchField({
  label,
  value = '',
  onSearch,
  ...props
}: Omit<TextInputProps, 'label' | 'value'> & {
  readonly label: string;
  readonly value?: string;
  readonly onSearch: (text: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), PAUSE_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden />}
      w={{ base: '100%', xs: 260 }}
      {...props}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}

/** Looks for numbers by what they begin with. */
export const numberSearch = { dir: 'ltr', inputMode: 'tel', maxLength: 30 } as const;
