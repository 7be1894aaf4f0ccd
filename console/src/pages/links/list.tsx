import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link2 } from 'lucide-react';
import { Link } from 'wouter';
import { api, client } from '../../api/client.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

const ROWS = 20;

/** Shipments that have links. */
export default function Links() {
  const { links: t } = useTexts();
  const pages = usePages(['linked-shipments'], async (after) => {
    const { data } = await client.GET('/v1/links', {
      params: { query: { limit: ROWS, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.shipments, next: data!.next };
  });
  return (
    <Page title={t.title} lead={t.lead}>
      <HiddenNote kind="link-target" />
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(shipment) => shipment.id}
        columns={[
          {
            key: 'send',
            title: t.send,
            cell: (shipment) => (
              <>
                <Anchor component={Link} href={`/links/${shipment.id}`} fw={600}>
                  <bdi>{shipment.campaign_name ?? t.campaignless(shipment.id)}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  <Time at={shipment.accepted_at} />
                </Text>
              </>
            ),
          },
          {
            key: 'link',
            title: t.link,
            wideOnly: true,
            cell: (shipment) => (
              <>
                <Text size="sm" maw={380} truncate>
                  <bdi dir="ltr">{shipment.url}</bdi>
                </Text>
                {shipment.links > 1 && (
                  <Text size="xs" c="dimmed">
                    {t.more(shipment.links - 1)}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'messages',
            title: t.messages,
            align: 'end',
            cell: (shipment) => <Count value={shipment.messages} />,
          },
          {
            key: 'clicks',
            title: t.clicks,
            align: 'end',
            // Counted row by row, so that the list is there at once.
            cell: (shipment) => <Clicks shipment={shipment.id} />,
          },
        ]}
        empty={
          <Empty icon={Link2} title={t.none}>
            {t.noneHint}
          </Empty>
        }
      />
    </Page>
  );
}

function Clicks({ shipment }: { readonly shipment: string }) {
  const { data, error } = api.useQuery('get', '/v1/shipments/{id}/links', {
    params: { path: { id: shipment } },
  });
  if (error !== null) return <Text span>–</Text>;
  if (data === undefined) return <Skeleton height={14} width={40} ms="auto" />;
  return <Count value={data.links.reduce((total, { clicks }) => total + clicks.person, 0)} />;
}
