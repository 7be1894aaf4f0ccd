import { Group, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { Action } from './action.tsx';

/** A field for a number or an address, and a button that looks for it; not for what is filtered while one writes. */
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
  /** Of the field where there is room, pixels. */
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
