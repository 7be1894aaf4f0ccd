import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Flip } from './use-flip.ts';

/** The recipient of a preview, with buttons that show it for the previous and the next one of the list. */
export function RecipientFlip({
  flip: { back, forward },
  recipient,
  next,
  children,
}: {
  readonly flip: Flip;
  readonly recipient: ReactNode;
  /** `next` of the answer; null for the last recipient. */
  readonly next: string | null;
  /** Length and price of the message to the recipient. */
  readonly children?: ReactNode;
}) {
  const { send: t } = useTexts();
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <ActionIcon variant="default" aria-label={t.previousRecipient} disabled={!back} onClick={back}>
        <ChevronLeft size={16} aria-hidden className="mirrored" />
      </ActionIcon>
      <div role="status">
        <Text size="sm" fw={500} ta="center" className="break-anywhere">
          {recipient}
        </Text>
        <Muted size="xs" ta="center">
          {children}
        </Muted>
      </div>
      <ActionIcon
        variant="default"
        aria-label={t.nextRecipient}
        disabled={next === null}
        onClick={() => next !== null && forward(next)}
      >
        <ChevronRight size={16} aria-hidden className="mirrored" />
      </ActionIcon>
    </Group>
  );
}
