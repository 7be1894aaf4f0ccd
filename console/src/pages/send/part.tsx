import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from '../../components/text.tsx';
import './send.css';

/** Section of a composer. The heading is next to the fields, and above them in narrow windows. */
export function Part({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="compose-part">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Stack gap="md">
        {lead !== undefined && <Muted size="xs">{lead}</Muted>}
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
        {children}
      </Stack>
    </section>
  );
}
