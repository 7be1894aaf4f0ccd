import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { ErrorNote } from './states.tsx';

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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  function close() {
    setError(undefined);
    onClose();
  }
  async function confirm() {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      close();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button {...(danger && { color: 'red' })} loading={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
