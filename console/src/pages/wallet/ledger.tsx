import { Anchor, NativeSelect, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { goodText } from '../../components/colors.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { DayFilters, FilterBar, NothingFound, useFilters, useTimeSpan } from '../../components/filters.tsx';
import { Empty } from '../../components/states.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

type Query = NonNullable<paths['/v1/wallet/ledger']['get']['parameters']['query']>;
type Row = paths['/v1/wallet/ledger']['get']['responses'][200]['content']['application/json']['rows'][number];
type Kind = Row['kind'];

const ROWS = 50;

/** Movements of a wallet with their filters: of the account, or of the subscriber with this user name. */
export function Ledger({ username, title }: { readonly username?: string; readonly title: string }) {
  const { wallet: t, filters: words } = useTexts();
  const filters = useFilters(['kind', 'from', 'until']);
  const { kind } = filters.values;
  const span = useTimeSpan(filters.values);
  const pages = usePages(['get', '/v1/wallet/ledger', username ?? null, kind, span], async (after) => {
    const query: Query = {
      limit: ROWS,
      ...span,
      ...(after !== undefined && { after }),
      ...(kind !== '' && { kind: kind as Kind }),
      ...(username !== undefined && { username }),
    };
    const { data } = await client.GET('/v1/wallet/ledger', { params: { query } });
    return data!;
  });
  return (
    <Stack gap="sm">
      <FilterBar filters={filters}>
        <NativeSelect
          label={t.kind}
          value={kind}
          onChange={(event) => filters.set('kind', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...Object.entries(t.kinds).map(([value, label]) => ({ value, label })),
          ]}
        />
        <DayFilters filters={filters} />
      </FilterBar>
      <DataTable
        caption={title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          { key: 'at', title: t.at, cell: (row) => <Time at={row.at} />, wideOnly: true },
          {
            key: 'kind',
            title: t.kind,
            cell: (row) => (
              <>
                {t.kinds[row.kind]}
                <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
                  <Time at={row.at} />
                </Text>
              </>
            ),
          },
          { key: 'what', title: t.what, cell: (row) => <WhatFor row={row} /> },
          {
            key: 'amount',
            title: t.amount,
            align: 'end',
            cell: (row) => (
              <Text span fw={600} c={row.amount.startsWith('-') ? undefined : goodText}>
                <Amount value={row.amount} sign />
              </Text>
            ),
          },
        ]}
        empty={
          <NothingFound filters={filters}>
            <Empty title={t.none}>{t.noneHint}</Empty>
          </NothingFound>
        }
      />
    </Stack>
  );
}

function WhatFor({ row }: { readonly row: Row }) {
  const { wallet: t } = useTexts();
  const hint = t.kindHints[row.kind];
  // What the service notes of its own accord is a word of the interface.
  const note = t.notes[row.note] ?? row.note;
  return (
    <>
      {row.peer !== null && <bdi>{row.peer}</bdi>}
      {row.shipment_id !== null && (
        <Anchor component={Link} href={`/messages?shipment=${row.shipment_id}`} size="sm">
          {t.shipment(row.shipment_id)}
        </Anchor>
      )}
      {note !== '' && (
        <Text size="sm" dir="auto">
          {note}
        </Text>
      )}
      {hint !== undefined && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      {row.peer === null && row.shipment_id === null && note === '' && hint === undefined && '–'}
    </>
  );
}
