import { Skeleton, Text } from '@mantine/core';
import { Link2 } from 'lucide-react';
import { byId } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useLinkTexts } from './texts.ts';

const ROWS = 20;

/** Shipments that have links. */
export default function Links() {
  const t = useLinkTexts();
  const pages = useList('/v1/links', ({ shipments }) => shipments, { query: { limit: ROWS } });
  return (
    <Page lead={t.lead}>
      <HiddenNote kind="link-target" />
      <DataTable
        pages={pages}
        rowKey={(shipment) => shipment.id}
        columns={[
          {
            title: t.send,
            cell: (shipment) => (
              <Named
                href={`/links/${shipment.id}`}
                name={<bdi>{shipment.campaign_name ?? t.campaignless(shipment.id)}</bdi>}
              >
                <Time at={shipment.accepted_at} />
              </Named>
            ),
          },
          {
            title: t.link,
            wideOnly: true,
            cell: (shipment) => (
              <>
                <Text size="sm" maw={380} truncate>
                  <bdi dir="ltr">{shipment.url}</bdi>
                </Text>
                {shipment.links > 1 && <Muted size="xs">{t.more(shipment.links - 1)}</Muted>}
              </>
            ),
          },
          { title: t.messages, align: 'end', cell: (shipment) => <Count value={shipment.messages} /> },
          {
            title: t.clicks,
            align: 'end',
            // Each row loads its own count, so that the list appears immediately.
            cell: (shipment) => <Clicks shipment={shipment.id} />,
          },
        ]}
        empty={<Empty icon={Link2} title={t.none} hint={t.noneHint} />}
      />
    </Page>
  );
}

function Clicks({ shipment }: { readonly shipment: string }) {
  const { data, error } = useAnswer('/v1/shipments/{id}/links', byId(shipment));
  if (error !== null) return <Text span>–</Text>;
  if (data === undefined) return <Skeleton height={14} width={40} ms="auto" />;
  return <Count value={data.links.reduce((total, { clicks }) => total + clicks.person, 0)} />;
}
