import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Pages } from '../api/paging.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Buttons for the pages of a list; nothing for a single page. */
export function Pager({ pages }: { readonly pages: Pick<Pages<unknown>, 'position' | 'previous' | 'next'> }) {
  const { common } = useTexts();
  if (!pages.previous && !pages.next) return null;
  return (
    <Group justify="flex-end" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {common.rowsOfPage(pages.position)}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={common.previousPage}
        disabled={!pages.previous}
        onClick={pages.previous}
      >
        <ChevronLeft size={18} className="mirrored" />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={common.nextPage} disabled={!pages.next} onClick={pages.next}>
        <ChevronRight size={18} className="mirrored" />
      </ActionIcon>
    </Group>
  );
}
