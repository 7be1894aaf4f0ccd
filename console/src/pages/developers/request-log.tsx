import { Code, Stack, Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer, Query } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Copy } from '../../components/copy.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useTimeSpan } from '../../components/day-filters.tsx';
import { Facts, Id } from '../../components/facts.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { RowOpener } from '../../components/row-opener.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { type Opened, useOpened } from '../../components/use-opened.ts';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useRequestTexts } from './request-texts.ts';
import { useMilliseconds } from './use-milliseconds.ts';

type Row = Answer<'/v1/request-log'>['requests'][number];

const ROWS = 50;
/** A batch may make hundreds; the JSON has all of them. */
const MOST_SHIPMENTS = 10;
const names = ['api', 'operation', 'refused', 'status', 'request_id', 'from', 'until'] as const;

/** API requests made with the account's tokens. */
export default function Requests() {
  const t = useRequestTexts();
  const filters = useFilters(names);
  const { from, until, ...chosen } = filters.values;
  const span = useTimeSpan({ from, until });
  const pages = useList('/v1/request-log', ({ requests }) => requests, {
    query: { limit: ROWS, ...span, ...(chosen as Partial<Query<'/v1/request-log'>>) },
  });
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Page lead={t.lead}>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'days' },
          { kind: 'choice', name: 'api', label: t.api, choices: t.apis },
          { kind: 'choice', name: 'refused', label: t.outcome, choices: { false: t.done, true: t.refused } },
          { kind: 'text', name: 'operation', label: t.operation },
          { kind: 'text', name: 'status', label: t.status },
          { kind: 'text', name: 'request_id', label: t.requestId },
        ]}
      />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={[
          { title: t.at, onPhone: 'end', cell: (row) => <Time at={row.at} to="second" /> },
          {
            title: t.operation,
            onPhone: 'title',
            cell: (row) => (
              <>
                <RowOpener onOpen={() => opened.open(row)}>
                  <bdi dir="ltr">{row.operation}</bdi>
                </RowOpener>
                <Muted size="xs" component="div">
                  <bdi>{t.apis[row.api]}</bdi>
                </Muted>
              </>
            ),
          },
          { title: t.outcome, onPhone: 'text', cell: (row) => <Outcome row={row} /> },
          {
            title: t.duration,
            align: 'end',
            cell: (row) => <Duration milliseconds={row.duration_ms} />,
          },
          { title: t.address, cell: (row) => <bdi dir="ltr">{row.address}</bdi> },
          {
            title: t.requestId,
            cell: (row) => (
              <Text span size="xs" className="nowrap">
                <Code>{row.request_id.slice(0, 8)}</Code>
                <Copy value={row.request_id} label={`${t.requestId} ${row.request_id.slice(0, 8)}`} />
              </Text>
            ),
          },
        ]}
        empty={<Empty filters={filters} icon={ScrollText} title={t.none} hint={t.noneHint} />}
      />
      {opened.row && <RequestPanel row={opened.row} opened={opened} />}
    </Page>
  );
}

function RequestPanel({ row, opened }: { readonly row: Row; readonly opened: Opened<Row> }) {
  const t = useRequestTexts();
  return (
    <SidePanel
      opened={opened}
      title={row.operation}
      id={row.request_id}
      json={row}
      link={`/requests?request_id=${row.request_id}&open=${row.id}`}
    >
      <Stack>
        <div>
          <Outcome row={row} />
        </div>
        <Facts
          rows={[
            [t.at, <Time key="at" at={row.at} to="second" />],
            [t.api, <bdi key="api">{t.apis[row.api]}</bdi>],
            [t.operation, <bdi key="operation">{row.operation}</bdi>],
            [t.duration, <Duration key="duration" milliseconds={row.duration_ms} />],
            [
              t.address,
              <bdi key="address" dir="ltr">
                {row.address}
              </bdi>,
            ],
            [t.requestId, <Id key="id" value={row.request_id} />],
            ...sentBy(row, t.sent),
          ]}
        />
      </Stack>
    </SidePanel>
  );
}

/** Shipments that a request made, each with a link to its messages. */
function sentBy({ shipment_ids }: Row, title: string): [string, ReactNode][] {
  if (shipment_ids.length === 0) return [];
  const shown = shipment_ids.slice(0, MOST_SHIPMENTS);
  return [
    [
      title,
      <div key="sent">
        {shown.map((id) => (
          <Id key={id} value={id} href={`/campaigns/${id}`} />
        ))}
      </div>,
    ],
  ];
}

function Outcome({ row }: { readonly row: Row }) {
  const t = useRequestTexts();
  return (
    <>
      <StatusBadge tone={row.refused ? 'bad' : 'good'}>{row.refused ? t.refused : t.done}</StatusBadge>{' '}
      {row.repeated && <StatusBadge tone="neutral">{t.repeated}</StatusBadge>}{' '}
      <Muted span size="xs">
        <bdi dir="ltr">
          {row.status} · {t.http} {row.http_status}
        </bdi>
      </Muted>
    </>
  );
}

function Duration({ milliseconds }: { readonly milliseconds: number }) {
  const ms = useMilliseconds();
  return <bdi className="figures">{ms(milliseconds)}</bdi>;
}
