import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { toneOf } from './import-states.ts';

const SHOWN = 10;
const REFETCH_MS = 3_000;

/**
 * What was imported into a list in the last week; nothing when nothing was. `listId` `0`: the blacklist. `under` is the
 * address of a mailing list, below which its imports are shown.
 */
export function RecentImports({ listId, under = '' }: { readonly listId: string; readonly under?: string }) {
  const { contacts: t } = useTexts();
  const query = api.useQuery(
    'get',
    '/v1/imports',
    { params: { query: { list_id: listId, limit: SHOWN } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.imports.some((one) => one.finished_at === null) ? REFETCH_MS : false,
    },
  );
  const imports = query.data?.imports ?? [];
  if (imports.length === 0) return null;
  return (
    <Card title={t.recentImports}>
      <Table.ScrollContainer minWidth={240}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.when}</Table.Th>
              <Table.Th scope="col">{t.state}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t.addedCount}
              </Table.Th>
              <Table.Th scope="col" ta="end">
                {t.refusedCount}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {imports.map((one) => (
              <Table.Tr key={one.id}>
                <Table.Td>
                  <Anchor component={Link} href={`${under}/imports/${one.id}`} size="sm">
                    <Time at={one.created_at} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <StatusBadge tone={toneOf[one.state]}>{t.states[one.state]}</StatusBadge>
                </Table.Td>
                <Table.Td ta="end">
                  <Count value={one.added} />
                </Table.Td>
                <Table.Td ta="end">
                  <Text span size="sm" {...(one.refused > 0 && { fw: 600 })}>
                    <Count value={one.refused} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
