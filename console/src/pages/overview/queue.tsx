import { Table, Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Count } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

const REFETCH_MS = 5_000;

/** What of the account waits to be handed over. */
export function Queue() {
  const { overview: t } = useTexts();
  const query = api.useQuery('get', '/v1/queue', {}, { refetchInterval: REFETCH_MS });
  return (
    <Card title={t.queue}>
      <Fetched query={query}>
        {({ lanes }) =>
          lanes.every(({ due, later, paused }) => due + later + paused === 0) ? (
            <Text size="sm" c="dimmed">
              {t.queueEmpty}
            </Text>
          ) : (
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col" aria-label={t.queue} />
                  <Table.Th scope="col" ta="end">
                    {t.due}
                  </Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.later}
                  </Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.paused}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {lanes.map(({ lane, due, later, paused, oldest_seconds }) => (
                  <Table.Tr key={lane}>
                    <Table.Th scope="row" fw={500}>
                      {t.lanes[lane]}
                      {due > 0 && oldest_seconds > 0 && (
                        <Text size="xs" c="dimmed" fw={400}>
                          {t.oldest(oldest_seconds)}
                        </Text>
                      )}
                    </Table.Th>
                    <Table.Td ta="end">
                      <Count value={due} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Count value={later} />
                    </Table.Td>
                    <Table.Td ta="end">
                      <Count value={paused} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Fetched>
    </Card>
  );
}
