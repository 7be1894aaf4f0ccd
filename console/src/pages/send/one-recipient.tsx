import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Part } from './part.tsx';

/** The audience of a message to one phone. `children` follow the number, such as whether it can get the message now. */
export function OneRecipient({
  phone,
  onChange,
  error,
  lead,
  children,
}: {
  readonly phone: string;
  readonly onChange: (phone: string) => void;
  readonly error: string | undefined;
  readonly lead?: string;
  readonly children?: ReactNode;
}) {
  const { send: t, shell } = useTexts();
  return (
    <Part title={shell.sections.audience} lead={lead}>
      <TextInput
        label={t.phone}
        dir="ltr"
        inputMode="tel"
        maxLength={50}
        value={phone}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        maw={320}
      />
      {children}
    </Part>
  );
}
