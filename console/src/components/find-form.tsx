import { Group, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { Action } from './action.tsx';

/** Input for a number or an address with a search button; not for filters that apply while the person types. */
export function FindForm({
  label,
  placeholder,
  inputMode,
  width,
  button,
  isFinding,
  onFind,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly inputMode?: 'tel';
  /** Width of the input in pixels, where there is room. */
  readonly width: number;
  readonly button: string;
  readonly isFinding: boolean;
  /** With what was written, without blanks around it. */
  readonly onFind: (typed: string) => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          type="search"
          label={label}
          placeholder={placeholder}
          dir="ltr"
          inputMode={inputMode}
          w={{ base: '100%', xs: width }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Action
          icon={Search}
          type="submit"
          variant="default"
          loading={isFinding}
          disabled={typed.trim() === ''}
        >
          {button}
        </Action>
      </Group>
    </form>
  );
}
