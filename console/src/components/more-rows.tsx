import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import type { Pages } from '../api/paging.ts';
import { useLanguage, useTexts } from '../i18n/use-texts.tsx';
import { ErrorNote } from './states.tsx';
import { useNear } from './use-near.ts';

/** Distance below the window, in pixels, at which the next rows are fetched: 25 rows. */
const AHEAD_PX = 1_000;

/** The foot of a list that has more rows: how many it has so far, and a button for more. Nothing at the end of the list. */
export function MoreRows({
  pages,
  scrolls = false,
}: {
  readonly pages: Pages<unknown>;
  /** Fetches more when it comes near the window, too. */
  readonly scrolls?: boolean;
}) {
  const { common } = useTexts();
  const language = useLanguage();
  const foot = useRef<HTMLDivElement>(null);
  const { rows, error, more, busy, fetchingMore } = pages;
  useNear(foot, AHEAD_PX, scrolls && more !== undefined && !busy && error === null, more);
  if (!more || rows === undefined) return null;
  return (
    <div ref={foot} className="more-rows">
      <ErrorNote error={error} onRetry={pages.retry} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" className="figures">
          {common.rowsShown(rows.length.toLocaleString(language))}
        </Text>
        <Button variant="default" size="xs" loading={fetchingMore} onClick={more}>
          {common.moreRows}
        </Button>
      </Group>
    </div>
  );
}
