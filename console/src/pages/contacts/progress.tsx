import { Alert, Anchor, Button, Group, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleStop } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Download } from '../../components/download.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';

const REFETCH_MS = 700;

/** How far an import is, and in the end what it could not use. `list` in the address is a mailing list. */
export default function ImportProgress() {
  const { contacts: t } = useTexts();
  const { id, list: mailList } = useParams<{ id: string; list?: string }>();
  const language = useLanguage();
  const { role } = useSession();
  const [stopping, setStopping] = useState(false);
  const query = api.useQuery(
    'get',
    '/v1/imports/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.finished_at === null ? REFETCH_MS : false) },
  );
  const queryClient = useQueryClient();
  const isOver = query.data !== undefined && query.data.finished_at !== null;
  // What was looked at before it has other rows now.
  useEffect(() => {
    if (!isOver) return;
    for (const key of ['contact-lists', 'contacts', 'mail-lists', 'mail-users', 'get']) {
      void queryClient.invalidateQueries({ queryKey: [key], refetchType: 'none' });
    }
  }, [isOver, queryClient]);
  return (
    <Page
      title={t.progressTitle}
      {...(query.data && {
        lead: mailList === undefined ? <Into listId={query.data.list_id} /> : <IntoMailList id={mailList} />,
      })}
    >
      <Fetched query={query}>
        {(job) => {
          const percent = job.bytes === 0 ? 0 : Math.min(100, Math.round((job.bytes_done / job.bytes) * 100));
          const over = job.finished_at !== null;
          return (
            <Stack gap="lg">
              <Card
                title={t.states[job.state]}
                lead={<Time at={job.created_at} to="second" />}
                actions={
                  !over &&
                  atLeast(role, 'sender') && (
                    <Button
                      variant="default"
                      size="xs"
                      leftSection={<CircleStop size={15} aria-hidden />}
                      onClick={() => setStopping(true)}
                    >
                      {t.stop}
                    </Button>
                  )
                }
              >
                <Progress
                  value={percent}
                  size="lg"
                  aria-label={t.progress}
                  animated={!over}
                  {...(job.state === 'done' && { color: 'teal' })}
                />
                {job.problem !== null && (
                  <Alert color="red" icon={<CircleAlert />} role="alert">
                    <span dir="auto">{job.problem}</span>
                  </Alert>
                )}
                <SimpleGrid cols={{ base: 2, sm: 4 }} role="status">
                  <Figure label={t.rows} value={job.rows} />
                  <Figure label={t.addedCount} value={job.added} />
                  <Figure label={t.presentCount} value={job.present} />
                  <Figure label={t.refusedCount} value={job.refused} />
                </SimpleGrid>
                {over && (
                  <Group>
                    <Button
                      component={Link}
                      href={
                        mailList !== undefined
                          ? `/mailing-lists/${mailList}`
                          : job.list_id === null
                            ? '/blacklist'
                            : `/contacts/${job.list_id}`
                      }
                    >
                      {job.list_id === null ? t.openBlacklist : t.openList}
                    </Button>
                  </Group>
                )}
              </Card>
              {job.refused > 0 && (
                <Card
                  title={t.refusedRows}
                  lead={
                    job.refused > job.refused_rows.length &&
                    t.refusedFirst(job.refused_rows.length, job.refused.toLocaleString(language))
                  }
                  actions={
                    <Download path={`/v1/imports/${job.id}/refused`} size="xs">
                      {t.downloadRefused}
                    </Download>
                  }
                >
                  <Table.ScrollContainer minWidth={240} mah={420}>
                    <Table verticalSpacing="xs">
                      <Table.Caption className="table-caption">{t.refusedRows}</Table.Caption>
                      <Table.Thead>
                        <Table.Tr>
                          <Table.Th scope="col" w={110}>
                            {t.line}
                          </Table.Th>
                          <Table.Th scope="col">{t.reason}</Table.Th>
                        </Table.Tr>
                      </Table.Thead>
                      <Table.Tbody>
                        {job.refused_rows.map((row) => (
                          <Table.Tr key={row.line}>
                            <Table.Td>
                              <Count value={row.line} />
                            </Table.Td>
                            <Table.Td>
                              <bdi>{t.reasons[row.reason] ?? row.reason}</bdi>
                            </Table.Td>
                          </Table.Tr>
                        ))}
                      </Table.Tbody>
                    </Table>
                  </Table.ScrollContainer>
                </Card>
              )}
              {job.state === 'done' && job.refused === 0 && (
                <Text c="dimmed" size="sm">
                  {t.noneRefused}
                </Text>
              )}
              <Confirm
                opened={stopping}
                onClose={() => setStopping(false)}
                title={t.stopTitle}
                action={t.stopAction}
                danger
                onConfirm={async () => {
                  await client.POST('/v1/imports/{id}/stop', { params: { path: { id } } });
                  notifications.show({ message: t.stopped });
                  await query.refetch();
                }}
              >
                {t.stopText}
              </Confirm>
            </Stack>
          );
        }}
      </Fetched>
    </Page>
  );
}

function Into({ listId }: { readonly listId: string | null }) {
  const { contacts: t } = useTexts();
  const query = api.useQuery(
    'get',
    '/v1/contact-lists/{id}',
    { params: { path: { id: listId ?? '' } } },
    { enabled: listId !== null, retry: false },
  );
  if (listId === null) return t.intoBlacklist;
  return query.data ? (
    <Anchor component={Link} href={`/contacts/${listId}`}>
      {t.progressOf(query.data.name)}
    </Anchor>
  ) : null;
}

function IntoMailList({ id }: { readonly id: string }) {
  const { contacts: t } = useTexts();
  const query = api.useQuery('get', '/v1/mail/lists/{id}', { params: { path: { id } } }, { retry: false });
  return query.data ? (
    <Anchor component={Link} href={`/mailing-lists/${id}`}>
      {t.progressOf(query.data.name)}
    </Anchor>
  ) : null;
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <Text size="xl" fw={650}>
        <Count value={value} />
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  );
}
