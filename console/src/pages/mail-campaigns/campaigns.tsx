import { Anchor, Button, Text } from '@mantine/core';
import { MailOpen, PenLine } from 'lucide-react';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Count, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { stateTones } from '../campaigns/shipment.ts';
import { stateOf } from './mail-campaign.ts';

const ROWS = 25;
const REFETCH_MS = 5_000;

/** Mails to lists, the newest first. */
export default function MailCampaigns() {
  const { mailCampaigns: t, campaigns } = useTexts();
  const { role } = useSession();
  const pages = usePages(
    ['mail-campaigns'],
    async (after) => {
      const { data } = await client.GET('/v1/mail/campaigns', {
        params: { query: { limit: ROWS, ...(after !== undefined && { after }) } },
      });
      return { rows: data!.campaigns, next: data!.next };
    },
    REFETCH_MS,
  );
  const compose = atLeast(role, 'sender') && (
    <Button component={Link} href="/mail-campaigns/new" leftSection={<PenLine size={16} aria-hidden />}>
      {t.compose}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={compose}>
      <HiddenNote kind="message-text" />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'subject',
            title: t.subject,
            cell: (row) => (
              <>
                <Anchor component={Link} href={`/mail-campaigns/${row.id}`} fw={600}>
                  <bdi>{row.name ?? row.subject}</bdi>
                </Anchor>
                {row.name !== null && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    <bdi>{row.subject}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'state',
            title: t.state,
            cell: (row) => (
              <StatusBadge tone={stateTones[stateOf(row)]}>{campaigns.states[stateOf(row)]}</StatusBadge>
            ),
          },
          { key: 'total', title: t.recipients, align: 'end', cell: (row) => <Count value={row.total} /> },
          {
            key: 'due',
            title: t.begins,
            wideOnly: true,
            cell: (row) => <Time at={row.due_at} />,
          },
        ]}
        empty={
          <Empty icon={MailOpen} title={t.none} action={compose}>
            {t.noneHint}
          </Empty>
        }
      />
    </Page>
  );
}
