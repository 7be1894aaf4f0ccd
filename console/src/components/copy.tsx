import { ActionIcon, CopyButton } from '@mantine/core';
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useTexts } from '../i18n/use-texts.tsx';

/** A button that copies a text. */
export function Copy({ value, label }: { readonly value: string; readonly label?: string }) {
  const { common } = useTexts();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          onClick={copy}
          aria-label={label ?? common.copy}
          title={copied ? common.copied : (label ?? common.copy)}
        >
          {copied ? <Check size={16} /> : <CopyIcon size={16} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
