import { Code, NativeSelect, Text, TextInput } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Copy } from '../../components/copy.tsx';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { DayFilters, FilterBar, NothingFound, useFilters, useTimeSpan } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';

type Query = NonNullable<paths['/v1/request-log']['get']['parameters']['query']>;
type Row =
  paths['/v1/request-log']['get']['responses'][200]['content']['application/json']['requests'][number];

const ROWS = 50;
const names = ['door', 'operation', 'refused', 'status', 'request_id', 'from', 'until'] as const;

/** What programs asked of the service with the account's tokens. */
export default function Requests() {
  const { requests: t, filters: words } = useTexts();
  const filters = useFilters(names);
  const { from, until, ...chosen } = filters.values;
  const span = useTimeSpan({ from, until });
  const pages = usePages(['get', '/v1/request-log', chosen, span], async (after) => {
    const given = Object.entries(chosen).filter(([, value]) => value !== '');
    const query: Query = { limit: ROWS, ...span, ...Object.fromEntries(given), ...(after && { after }) };
    const { data } = await client.GET('/v1/request-log', { params: { query } });
    return { rows: data!.requests, next: data!.next };
  });
  const text = (name: 'operation' | 'status' | 'request_id', label: string, width: number) => (
    <TextInput
      key={`${name}-${filters.values[name] === ''}`}
      label={label}
      dir="ltr"
      w={width}
      defaultValue={filters.values[name]}
      onBlur={(event) => filters.set(name, event.currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') filters.set(name, event.currentTarget.value.trim());
      }}
    />
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <FilterBar filters={filters}>
        <NativeSelect
          label={t.door}
          value={filters.values.door}
          onChange={(event) => filters.set('door', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...Object.entries(t.doors).map(([value, label]) => ({ value, label })),
          ]}
        />
        <NativeSelect
          label={t.outcome}
          value={filters.values.refused}
          onChange={(event) => filters.set('refused', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            { value: 'false', label: t.done },
            { value: 'true', label: t.refused },
          ]}
        />
        {text('operation', t.operation, 130)}
        {text('status', t.status, 84)}
        {text('request_id', t.requestId, 130)}
        <DayFilters filters={filters} />
      </FilterBar>
      <DataTable
        caption={t.title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          { key: 'at', title: t.at, cell: (row) => <Time at={row.at} to="second" />, wideOnly: true },
          {
            key: 'operation',
            title: t.operation,
            cell: (row) => (
              <>
                <Text size="sm" fw={600}>
                  <bdi dir="ltr">{row.operation}</bdi>
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <bdi>{t.doors[row.door]}</bdi>
                </Text>
                <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
                  <Time at={row.at} to="second" />
                </Text>
              </>
            ),
          },
          { key: 'status', title: t.outcome, cell: (row) => <Outcome row={row} /> },
          {
            key: 'duration',
            title: t.duration,
            align: 'end',
            cell: (row) => <Duration milliseconds={row.duration_ms} />,
            wideOnly: true,
          },
          {
            key: 'address',
            title: t.address,
            cell: (row) => <bdi dir="ltr">{row.address}</bdi>,
            wideOnly: true,
          },
          {
            key: 'request_id',
            title: t.requestId,
            cell: (row) => (
              <Text span size="xs" className="nowrap">
                <Code>{row.request_id.slice(0, 8)}</Code>
                <Copy value={row.request_id} label={`${t.requestId} ${row.request_id.slice(0, 8)}`} />
              </Text>
            ),
            wideOnly: true,
          },
        ]}
        empty={
          <NothingFound filters={filters}>
            <Empty icon={ScrollText} title={t.none}>
              {t.noneHint}
            </Empty>
          </NothingFound>
        }
      />
    </Page>
  );
}

function Outcome({ row }: { readonly row: Row }) {
  const { requests: t } = useTexts();
  return (
    <>
      <StatusBadge tone={row.refused ? 'bad' : 'good'}>{row.refused ? t.refused : t.done}</StatusBadge>{' '}
      {row.repeated && <StatusBadge tone="neutral">{t.repeated}</StatusBadge>}{' '}
      <Text span size="xs" c="dimmed">
        <bdi dir="ltr">
          {row.status} · {t.http} {row.http_status}
        </bdi>
      </Text>
    </>
  );
}

function Duration({ milliseconds }: { readonly milliseconds: number }) {
  const { requests: t } = useTexts();
  const language = useLanguage();
  const digits = milliseconds < 10 ? 1 : 0;
  return (
    <bdi className="figures">
      {t.milliseconds(milliseconds.toLocaleString(language, { maximumFractionDigits: digits }))}
    </bdi>
  );
}
