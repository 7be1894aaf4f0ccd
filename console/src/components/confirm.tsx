import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { ErrorNote } from './states.tsx';
import { useTask } from './task.ts';

/**
 * Asks before something that cannot be taken back. `onConfirm` may take its time: the dialog stays until it is done,
 * and says what went wrong.
 */
export function Confirm({
  opened,
  onClose,
  title,
  children,
  action,
  danger = false,
  onConfirm,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says: the deed, not "OK". */
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<unknown>;
}) {
  const { common } = useTexts();
  const { busy, error, setError, run } = useTask(async () => {
    await onConfirm();
    onClose();
  });
  function close() {
    setError(undefined);
    onClose();
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        <ErrorNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button {...(danger && { color: 'red' })} loading={busy} onClick={() => void run()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
