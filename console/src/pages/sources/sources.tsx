import { Alert, Badge, Button, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { BadgeCheck, Info, Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { atLeast } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote, Fetched } from '../../components/states.tsx';
import { Phone, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { AskForName, VerifyNumbers } from './source-forms.tsx';

type Sources = paths['/v1/sources']['get']['responses'][200]['content']['application/json'];

/** What an account may send from, and what it has asked for. */
export default function SourcesPage() {
  const { sources: t } = useTexts();
  const { role } = useSession();
  const query = api.useQuery('get', '/v1/sources', undefined, {
    refetchInterval: ({ state }) => (state.data && state.data.waiting.length > 0 ? 5_000 : false),
  });
  const [verifying, setVerifying] = useState(false);
  const [asking, setAsking] = useState(false);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        atLeast(role, 'owner') && (
          <>
            <Button
              variant="default"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => setAsking(true)}
            >
              {t.askName}
            </Button>
            <Button leftSection={<ShieldCheck size={16} aria-hidden />} onClick={() => setVerifying(true)}>
              {t.verify}
            </Button>
          </>
        )
      }
    >
      <Fetched query={query}>
        {(data) => (
          <Stack gap="lg">
            {data.any && (
              <Alert icon={<Info />} color="blue" role="note">
                {t.any}
              </Alert>
            )}
            <Requested rows={data.requested} />
            <Waiting rows={data.waiting} />
            <Approved rows={data.sources} />
          </Stack>
        )}
      </Fetched>
      <VerifyNumbers opened={verifying} onClose={() => setVerifying(false)} />
      <AskForName opened={asking} onClose={() => setAsking(false)} />
    </Page>
  );
}

function Approved({ rows }: { readonly rows: Sources['sources'] }) {
  const { sources: t } = useTexts();
  return (
    <Card title={t.approved}>
      {rows.length === 0 ? (
        <Empty icon={BadgeCheck} title={t.none}>
          {t.noneHint}
        </Empty>
      ) : (
        <Table.ScrollContainer minWidth={240}>
          <Table verticalSpacing="xs">
            <Table.Caption className="table-caption">{t.approved}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t.source}</Table.Th>
                <Table.Th scope="col">{t.kind}</Table.Th>
                <Table.Th scope="col" visibleFrom="sm">
                  {t.since}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.source}>
                  <Table.Td>
                    <Group gap="xs">
                      <Text fw={600}>
                        <Phone number={row.source} />
                      </Text>
                      {row.incoming && (
                        <Badge variant="light" tt="none">
                          {t.incoming}
                        </Badge>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td>{t.kinds[row.kind]}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Time at={row.since} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
}

function Waiting({ rows }: { readonly rows: Sources['waiting'] }) {
  const { sources: t } = useTexts();
  if (rows.length === 0) return null;
  return (
    <Card title={t.waiting}>
      <Table.ScrollContainer minWidth={240}>
        <Table verticalSpacing="xs">
          <Table.Caption className="table-caption">{t.waiting}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.kinds.number}</Table.Th>
              <Table.Th scope="col">{t.how}</Table.Th>
              <Table.Th scope="col">{t.until}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.phone}>
                <Table.Td>
                  <Phone number={row.phone} />
                </Table.Td>
                <Table.Td>{row.landline ? t.byCall : t.byLink}</Table.Td>
                <Table.Td>
                  <Time at={row.expires_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Requested({ rows }: { readonly rows: Sources['requested'] }) {
  const { sources: t } = useTexts();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>();
  if (rows.length === 0) return null;
  async function withdraw(source: string) {
    setError(undefined);
    try {
      await client.POST('/v1/sources/names/withdraw', { body: { source } });
      notifications.show({ message: t.withdrawn });
    } catch (problem) {
      setError(problem);
    }
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sources'] });
  }
  return (
    <Card title={t.requested}>
      {error !== undefined && <ErrorNote error={error} />}
      <Table.ScrollContainer minWidth={240}>
        <Table verticalSpacing="xs">
          <Table.Caption className="table-caption">{t.requested}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t.name}</Table.Th>
              <Table.Th scope="col">{t.state}</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                {t.askedAt}
              </Table.Th>
              <Table.Th scope="col">
                <VisuallyHidden>{t.withdraw}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.source}>
                <Table.Td>
                  <Text fw={600}>
                    <bdi dir="ltr">{row.source}</bdi>
                  </Text>
                  <Text size="xs" c="dimmed" dir="auto">
                    {row.note}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StatusBadge tone={row.refused ? 'bad' : 'busy'}>
                    {row.refused ? t.refused : t.waits}
                  </StatusBadge>
                  {row.reason !== '' && (
                    <Text size="sm" dir="auto">
                      {row.reason}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Time at={row.asked_at} />
                </Table.Td>
                <Table.Td ta="end">
                  {atLeast(role, 'owner') && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={`${row.refused ? t.putAway : t.withdraw}: ${row.source}`}
                      onClick={() => void withdraw(row.source)}
                    >
                      {row.refused ? t.putAway : t.withdraw}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
