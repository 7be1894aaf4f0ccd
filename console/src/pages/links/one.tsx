import { Anchor, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { MousePointerClick } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'wouter';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Count, Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import './links.css';

const ClicksChart = lazy(() => import('./clicks-chart.tsx'));

const ROWS = 50;

/** The links of one shipment. */
export default function LinksOfShipment() {
  const { links: t } = useTexts();
  const { id } = useParams<{ id: string }>();
  const params = { params: { path: { id } } };
  const shipment = api.useQuery('get', '/v1/shipments/{id}', params);
  const hours = api.useQuery('get', '/v1/shipments/{id}/clicks/hours', params);
  const name = shipment.data?.campaign_name;
  return (
    <Page
      title={name ? t.detailTitle(name) : t.detailOf(id)}
      lead={
        <Anchor component={Link} href="/links">
          {t.backToList}
        </Anchor>
      }
    >
      <ByLink id={id} />
      <Card title={t.byHour}>
        <Fetched query={hours}>
          {({ hours: rows }) =>
            rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t.noClicks}
              </Text>
            ) : (
              <Suspense fallback={<Skeleton height={240} />}>
                <ClicksChart rows={rows} />
              </Suspense>
            )
          }
        </Fetched>
      </Card>
      <Who id={id} />
    </Page>
  );
}

function ByLink({ id }: { readonly id: string }) {
  const { links: t } = useTexts();
  const query = api.useQuery('get', '/v1/shipments/{id}/links', { params: { path: { id } } });
  return (
    <Card title={t.byLink} lead={t.visitorsHint}>
      <HiddenNote kind="link-target" />
      <Fetched query={query}>
        {({ links }) => (
          <Table.ScrollContainer minWidth={240}>
            <Table verticalSpacing="xs">
              <Table.Caption className="table-caption">{t.byLink}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t.link}</Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.people}
                  </Table.Th>
                  <Table.Th scope="col" ta="end">
                    {t.clicks}
                  </Table.Th>
                  <Table.Th scope="col" ta="end" visibleFrom="sm">
                    {t.previews}
                  </Table.Th>
                  <Table.Th scope="col" ta="end" visibleFrom="sm">
                    {t.bots}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {links.map((link) => (
                  <Table.Tr key={link.id}>
                    <Table.Td className="link-address" miw={130}>
                      <bdi dir="ltr">{link.url}</bdi>
                      <Text size="xs" c="dimmed">
                        {t.place} <bdi dir="ltr">[link-{link.key}]</bdi>
                      </Text>
                    </Table.Td>
                    <Table.Td ta="end">
                      <Text fw={650}>
                        <Count value={link.recipients.person} />
                      </Text>
                    </Table.Td>
                    <Table.Td ta="end">
                      <Count value={link.clicks.person} />
                    </Table.Td>
                    <Table.Td ta="end" visibleFrom="sm">
                      <Count value={link.clicks.preview} />
                    </Table.Td>
                    <Table.Td ta="end" visibleFrom="sm">
                      <Count value={link.clicks.bot} />
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

function Who({ id }: { readonly id: string }) {
  const { links: t } = useTexts();
  const pages = usePages(['clicks', id], async (after) => {
    const { data } = await client.GET('/v1/shipments/{id}/clicks', {
      params: { path: { id }, query: { limit: ROWS, ...(after !== undefined && { after }) } },
    });
    return { rows: data!.clicks, next: data!.next };
  });
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t.who}
      </Title>
      <DataTable
        caption={t.who}
        pages={pages}
        rowKey={(row) => `${row.phone} ${row.external_id} ${row.link_id} ${row.first_at}`}
        columns={[
          {
            key: 'phone',
            title: t.phone,
            cell: (row) => (row.phone === null ? t.gone : <Phone number={row.phone} />),
          },
          {
            key: 'reference',
            title: t.reference,
            wideOnly: true,
            cell: (row) => <bdi dir="ltr">{row.external_id ?? '–'}</bdi>,
          },
          {
            key: 'link',
            title: t.link,
            cell: (row) => <bdi dir="ltr">{row.key === null ? '–' : `[link-${row.key}]`}</bdi>,
          },
          {
            key: 'clicks',
            title: t.clicks,
            align: 'end',
            cell: (row) => <Count value={row.clicks.person} />,
          },
          { key: 'first', title: t.first, wideOnly: true, cell: (row) => <Time at={row.first_at} /> },
          { key: 'last', title: t.last, wideOnly: true, cell: (row) => <Time at={row.last_at} /> },
        ]}
        empty={
          <Empty icon={MousePointerClick} title={t.nobody}>
            {t.nobodyHint}
          </Empty>
        }
      />
    </Stack>
  );
}
