import { Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { TextLink } from '../../components/text.tsx';
import { Count, StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { useContactTexts } from './texts.ts';

type ImportState = Answer<'/v1/imports'>['imports'][number]['state'];

const tones: Readonly<Record<ImportState, Tone>> = {
  receiving: 'busy',
  waiting: 'neutral',
  running: 'busy',
  done: 'good',
  stopped: 'warning',
  failed: 'bad',
};

const SHOWN = 10;
const REFETCH_MS = 3_000;

/**
 * Imports into a list during the last week; nothing without imports. `listId` `0` is the blacklist. `under` is the path of a
 * mailing list, below which its imports have their pages.
 */
export function RecentImports({ listId, under = '' }: { readonly listId: string; readonly under?: string }) {
  const t = useContactTexts();
  const query = useAnswer(
    '/v1/imports',
    { query: { list_id: listId, limit: SHOWN } },
    {
      refetchInterval: ({ state }) =>
        state.data?.imports.some((one) => one.finished_at === null) ? REFETCH_MS : false,
    },
  );
  const imports = query.data?.imports ?? [];
  if (imports.length === 0) return null;
  return (
    <Card title={t.recentImports}>
      <RowsTable
        caption={t.recentImports}
        rows={imports}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t.when,
            cell: ({ id, created_at }) => (
              <TextLink href={`${under}/imports/${id}`} size="sm">
                <Time at={created_at} />
              </TextLink>
            ),
          },
          {
            title: t.state,
            cell: ({ state }) => <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>,
          },
          { title: t.addedCount, align: 'end', cell: ({ added }) => <Count value={added} /> },
          {
            title: t.refusedCount,
            align: 'end',
            cell: ({ refused }) => (
              <Text span size="sm" {...(refused > 0 && { fw: 600 })}>
                <Count value={refused} />
              </Text>
            ),
          },
        ]}
      />
    </Card>
  );
}
