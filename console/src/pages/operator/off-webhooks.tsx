import { Anchor, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { api, client } from '../../api/client.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { WebhookUrl } from '../developers/webhook.tsx';

const offKey = ['get', '/v1/operator/webhooks'] as const;

/** Addresses of all accounts that are switched off. */
export default function OffWebhooks() {
  const { webhooks: t } = useTexts().operator;
  const queryClient = useQueryClient();
  const pages = usePages(offKey, async () => {
    const { data } = await client.GET('/v1/operator/webhooks');
    return { rows: data!.webhooks, next: null };
  });
  const enable = api.useMutation('post', '/v1/operator/webhooks/{id}/enable', {
    onSuccess: async () => {
      notifications.show({ message: t.enabled, color: 'teal' });
      await queryClient.invalidateQueries({ queryKey: offKey });
    },
  });
  const failure: unknown = enable.error;
  return (
    <Page title={t.title} lead={t.lead}>
      {failure !== null && <ErrorNote error={failure} />}
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'url',
            title: t.account,
            cell: (row) => (
              <>
                <Anchor component={Link} href={`/operator/accounts/${row.account_id}`} size="sm" fw={600}>
                  <bdi dir="ltr">{row.username}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  <WebhookUrl url={row.url} />
                </Text>
              </>
            ),
          },
          { key: 'reason', title: t.reason, cell: (row) => <bdi>{row.off_reason}</bdi>, wideOnly: true },
          { key: 'since', title: t.since, cell: (row) => <Time at={row.off_at} />, wideOnly: true },
          {
            key: 'enable',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="light"
                aria-label={t.enableOne(row.url)}
                loading={enable.isPending && enable.variables.params.path.id === row.id}
                onClick={() => enable.mutate({ params: { path: { id: row.id } } })}
              >
                {t.enable}
              </Button>
            ),
          },
        ]}
        empty={
          <Empty icon={CircleCheck} title={t.none}>
            {t.noneHint}
          </Empty>
        }
      />
    </Page>
  );
}
