import { Anchor, Button, Text } from '@mantine/core';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { useEventName, WebhookState, WebhookUrl, webhooksKey } from './webhook.tsx';

const REFRESH_MS = 10_000;

/** The addresses of an account that hear of events. */
export default function Webhooks() {
  const { webhooks: t } = useTexts();
  const { role } = useSession();
  const eventName = useEventName();
  const mayChange = atLeast(role, 'owner');
  const [adding, setAdding] = useState(false);
  const pages = usePages(
    webhooksKey,
    async () => {
      const { data } = await client.GET('/v1/webhooks');
      return { rows: data!.webhooks, next: null };
    },
    REFRESH_MS,
  );
  const add = mayChange && (
    <Button leftSection={<Plus size={17} />} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={add}>
      <HiddenNote kind="webhook-url" />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'url',
            title: t.url,
            cell: (row) => (
              <>
                <Anchor component={Link} href={`/webhooks/${row.id}`} size="sm" fw={600}>
                  <WebhookUrl url={row.url} />
                </Anchor>
                <Text size="xs" c="dimmed">
                  {t.kindsShort[row.kind]}
                  {row.kind === 'webhook' &&
                    ` · ${row.types === null ? t.allEvents : row.types.map(eventName).join(', ')}`}
                </Text>
              </>
            ),
          },
          { key: 'state', title: t.state, cell: (row) => <WebhookState webhook={row} /> },
          {
            key: 'delivered',
            title: t.delivered,
            align: 'end',
            cell: (row) => <Count value={row.delivered} />,
            wideOnly: true,
          },
          {
            key: 'failed',
            title: t.failed,
            align: 'end',
            cell: (row) => <Count value={row.failed} />,
            wideOnly: true,
          },
          {
            key: 'last',
            title: t.lastSuccess,
            cell: (row) => <Time at={row.last_success_at} />,
            wideOnly: true,
          },
        ]}
        empty={
          <Empty icon={WebhookIcon} title={t.none} action={add}>
            {t.noneHint}
          </Empty>
        }
      />
      <RegisterWebhook opened={adding} onClose={() => setAdding(false)} />
    </Page>
  );
}
