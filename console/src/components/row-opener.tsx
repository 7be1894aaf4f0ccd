import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** Name of a row that has no page. A click opens the row in the side panel. */
export function RowOpener({
  onOpen,
  children,
}: {
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Anchor component="button" type="button" size="sm" fw={600} ta="start" onClick={onOpen}>
      {children}
    </Anchor>
  );
}
