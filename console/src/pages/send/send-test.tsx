import { Popover, Stack, Text } from '@mantine/core';
import { MessageSquareShare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Action } from '../../components/action.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** The button that opens the form of a test; `children` gets the function that closes it. */
export function SendTest({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const { send: t } = useTexts();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="top-end" width={320} withArrow>
      <Popover.Target>
        <Action icon={MessageSquareShare} variant="default" size="md" onClick={() => setOpened(!opened)}>
          {t.test.action}
        </Action>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <div>
            <Text fw={600}>{title}</Text>
            <Muted size="xs">{lead}</Muted>
          </div>
          {children(() => setOpened(false))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
