import { Button, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** Where somebody is signed in, and how to end it. */
export function Sessions() {
  const { account: t } = useTexts();
  const queryClient = useQueryClient();
  const query = api.useQuery('get', '/v1/session/sessions');
  const options = {
    onSuccess: async () => {
      notifications.show({ message: t.ended });
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/session/sessions'] });
    },
  };
  const end = api.useMutation('delete', '/v1/session/sessions/{id}', options);
  const endOthers = api.useMutation('delete', '/v1/session/sessions', options);
  const others = (query.data?.sessions.length ?? 0) > 1;
  return (
    <Card
      title={t.sessions}
      lead={t.sessionsHint}
      actions={
        others && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          >
            {t.endOthers}
          </Button>
        )
      }
    >
      {(end.error ?? endOthers.error) && <ErrorNote error={end.error ?? endOthers.error} />}
      <Fetched query={query}>
        {({ sessions }) => (
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t.device}</Table.Th>
                  <Table.Th scope="col">{t.address}</Table.Th>
                  <Table.Th scope="col">{t.since}</Table.Th>
                  <Table.Th scope="col">{t.lastSeen}</Table.Th>
                  <Table.Th scope="col" aria-label={t.end} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sessions.map((session) => (
                  <Table.Tr key={session.id}>
                    <Table.Td>
                      <Text size="sm" span title={session.agent}>
                        <bdi dir="ltr">{nameOfBrowser(session.agent)}</bdi>
                      </Text>{' '}
                      {session.current && <StatusBadge tone="good">{t.thisSession}</StatusBadge>}
                    </Table.Td>
                    <Table.Td>
                      <bdi dir="ltr">{session.address}</bdi>
                    </Table.Td>
                    <Table.Td>
                      <Time at={session.created_at} />
                    </Table.Td>
                    <Table.Td>
                      <Time at={session.seen_at} />
                    </Table.Td>
                    <Table.Td ta="end">
                      {!session.current && (
                        <Button
                          size="xs"
                          variant="subtle"
                          color="red"
                          onClick={() => end.mutate({ params: { path: { id: session.id } } })}
                        >
                          {t.end}
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Fetched>
    </Card>
  );
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** `Firefox · Linux`, for what a browser calls itself; that itself where nothing is known. */
function nameOfBrowser(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return [browser, system].filter(Boolean).join(' · ') || agent.slice(0, 40) || '–';
}
