import { Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { goodText } from '../../components/colors.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useTimeSpan } from '../../components/day-filters.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { RowTime } from '../../components/row-time.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Amount } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

type Row = Answer<'/v1/wallet/ledger'>['rows'][number];
type Kind = Row['kind'];

const ROWS = 50;

/** Movements of a wallet with their filters: of the account, or of the subscriber with this user name. */
export function Ledger({ username, title }: { readonly username?: string; readonly title: string }) {
  const { wallet: t, common } = useTexts();
  const filters = useFilters(['kind', 'from', 'until']);
  const { kind } = filters.values;
  const span = useTimeSpan(filters.values);
  const pages = useList('/v1/wallet/ledger', ({ rows }) => rows, {
    query: { limit: ROWS, ...span, kind: kind as Kind | '', username },
  });
  return (
    <Stack gap="sm">
      <FilterBar
        filters={filters}
        fields={[{ kind: 'days' }, { kind: 'choice', name: 'kind', label: t.kind, choices: t.kinds }]}
      />
      <DataTable
        caption={title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          { title: t.at, onPhone: 'mark', cell: (row) => <RowTime at={row.at} /> },
          { title: t.kind, onPhone: 'title', cell: (row) => t.kinds[row.kind] },
          { title: t.what, onPhone: 'text', cell: (row) => <WhatFor row={row} /> },
          {
            title: common.inCredits(t.amount),
            align: 'end',
            onPhone: 'end',
            cell: (row) => (
              <Text span fw={600} c={row.amount.startsWith('-') ? undefined : goodText}>
                <Amount value={row.amount} sign />
              </Text>
            ),
          },
        ]}
        empty={<Empty filters={filters} title={t.none} hint={t.noneHint} />}
      />
    </Stack>
  );
}

function WhatFor({ row }: { readonly row: Row }) {
  const { wallet: t } = useTexts();
  const hint = t.kindHints[row.kind];
  // Notes that the service writes automatically are keys of the API.
  const note = t.notes[row.note] ?? row.note;
  return (
    <>
      {row.peer !== null && <bdi>{row.peer}</bdi>}
      {row.shipment_id !== null && (
        <TextLink
          href={
            row.campaign_name === null
              ? `/messages?by=shipment&q=${row.shipment_id}`
              : `/campaigns/${row.shipment_id}`
          }
          size="sm"
        >
          <bdi>{row.campaign_name ?? t.messages}</bdi>
        </TextLink>
      )}
      {note !== '' && (
        <Text size="sm" dir="auto">
          {note}
        </Text>
      )}
      {hint !== undefined && <Muted size="xs">{hint}</Muted>}
      {row.peer === null && row.shipment_id === null && note === '' && hint === undefined && '–'}
    </>
  );
}
