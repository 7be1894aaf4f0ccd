import { Text } from '@mantine/core';
import { MousePointerClick } from 'lucide-react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { DataTable, RowsTable } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { Count, Phone, Time } from '../../components/values.tsx';
import './links.css';
import { ClicksChart } from './clicks-chart.tsx';
import { useLinkTexts } from './texts.ts';

const ROWS = 50;

/** The links of one shipment. */
export default function LinksOfShipment() {
  const t = useLinkTexts();
  const { id } = useParams<{ id: string }>();
  const params = byId(id);
  const shipment = useAnswer('/v1/shipments/{id}', params);
  const hourly = useAnswer('/v1/shipments/{id}/clicks/hours', params);
  const name = shipment.data?.campaign_name;
  return (
    <Page title={name ? t.detailTitle(name) : t.detailOf(id)} back="/links">
      <ByLink id={id} />
      <Card title={t.byHour}>
        <Fetched query={hourly}>
          {({ hours: rows }) =>
            rows.length === 0 ? <Muted>{t.noClicks}</Muted> : <ClicksChart rows={rows} />
          }
        </Fetched>
      </Card>
      <Who id={id} />
    </Page>
  );
}

function ByLink({ id }: { readonly id: string }) {
  const t = useLinkTexts();
  const query = useAnswer('/v1/shipments/{id}/links', byId(id));
  return (
    <Card title={t.byLink} lead={t.visitorsHint}>
      <HiddenNote kind="link-target" />
      <Fetched query={query}>
        {({ links }) => (
          <RowsTable
            caption={t.byLink}
            rows={links}
            rowKey={(link) => link.id}
            columns={[
              {
                title: t.link,
                cell: (link) => (
                  <div className="link-address">
                    <bdi dir="ltr">{link.url}</bdi>
                    <Muted size="xs">
                      {t.place} <bdi dir="ltr">[link-{link.key}]</bdi>
                    </Muted>
                  </div>
                ),
              },
              {
                title: t.people,
                align: 'end',
                cell: ({ recipients }) => (
                  <Text fw={650}>
                    <Count value={recipients.person} />
                  </Text>
                ),
              },
              { title: t.clicks, align: 'end', cell: ({ clicks }) => <Count value={clicks.person} /> },
              {
                title: t.previews,
                align: 'end',
                wideOnly: true,
                cell: ({ clicks }) => <Count value={clicks.preview} />,
              },
              {
                title: t.bots,
                align: 'end',
                wideOnly: true,
                cell: ({ clicks }) => <Count value={clicks.bot} />,
              },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}

function Who({ id }: { readonly id: string }) {
  const t = useLinkTexts();
  const pages = useList('/v1/shipments/{id}/clicks', ({ clicks }) => clicks, {
    path: { id },
    query: { limit: ROWS },
  });
  return (
    <Section title={t.who}>
      <DataTable
        caption={t.who}
        pages={pages}
        rowKey={(row) => `${row.phone} ${row.external_id} ${row.link_id} ${row.first_at}`}
        columns={[
          { title: t.phone, cell: (row) => (row.phone === null ? t.gone : <Phone number={row.phone} />) },
          {
            title: t.reference,
            wideOnly: true,
            cell: (row) => <bdi dir="ltr">{row.external_id ?? '–'}</bdi>,
          },
          {
            title: t.link,
            cell: (row) => <bdi dir="ltr">{row.key === null ? '–' : `[link-${row.key}]`}</bdi>,
          },
          { title: t.clicks, align: 'end', cell: (row) => <Count value={row.clicks.person} /> },
          { title: t.first, wideOnly: true, cell: (row) => <Time at={row.first_at} /> },
          { title: t.last, wideOnly: true, cell: (row) => <Time at={row.last_at} /> },
        ]}
        empty={<Empty icon={MousePointerClick} title={t.nobody} hint={t.nobodyHint} />}
      />
    </Section>
  );
}
