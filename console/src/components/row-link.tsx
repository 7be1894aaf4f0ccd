import type { AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCoversList } from './side-panel.tsx';
import { TextLink } from './text.tsx';

/** Link of a row to its page. It opens the row in the side panel instead, except on phones. */
export function RowLink({
  onOpen,
  ...link
}: AnchorProps & { readonly href: string; readonly onOpen: () => void; readonly children: ReactNode }) {
  const isPhone = useCoversList();
  return (
    <TextLink
      {...link}
      onClick={(event) => {
        if (isPhone) return;
        event.preventDefault();
        onOpen();
      }}
    />
  );
}
