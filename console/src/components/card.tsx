import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Section of a page with its own heading. */
export function Card({
  id,
  title,
  lead,
  actions,
  children,
}: {
  /** Fragment of the address that scrolls to the card: `/settings#password`. */
  readonly id?: string;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder className="card" component="section" id={id}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4">
              {title}
            </Title>
            {lead !== undefined && (
              <Text size="sm" c="dimmed">
                {lead}
              </Text>
            )}
          </div>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
