import { Button, Code, Drawer, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { DataTable, usePages } from '../../components/data-table.tsx';
import { DayFilters, FilterBar, NothingFound, useFilters, useTimeSpan } from '../../components/filters.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Team } from './team.ts';

type Query = NonNullable<paths['/v1/audit']['get']['parameters']['query']>;
type Entry = paths['/v1/audit']['get']['responses'][200]['content']['application/json']['entries'][number];

const ROWS = 50;

/** Who changed what, when and from where. */
export function AuditPage({ team }: { readonly team: Team }) {
  const { audit: t, filters: words } = useTexts();
  const filters = useFilters(['person', 'kind', 'object', 'from', 'until']);
  const { from, until, ...chosen } = filters.values;
  const span = useTimeSpan({ from, until });
  const [looked, setLooked] = useState<Entry>();
  const people = useQuery({ queryKey: team.key, queryFn: team.list });
  const pages = usePages([...team.auditKey, chosen, span], async (after) => {
    const given = Object.entries(chosen).filter(([, value]) => value !== '');
    const query: Query = { limit: ROWS, ...span, ...Object.fromEntries(given), ...(after && { after }) };
    const { data } = await (team.operators
      ? client.GET('/v1/operator/audit', { params: { query } })
      : client.GET('/v1/audit', { params: { query } }));
    return { rows: data!.entries, next: data!.next };
  });
  const title = team.operators ? t.operatorTitle : t.title;
  return (
    <Page title={title} lead={team.operators ? t.operatorLead : t.lead}>
      <FilterBar filters={filters}>
        <NativeSelect
          label={t.person}
          value={filters.values.person}
          onChange={(event) => filters.set('person', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...(people.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <NativeSelect
          label={t.kind}
          value={filters.values.kind}
          onChange={(event) => filters.set('kind', event.currentTarget.value)}
          data={[
            { value: '', label: words.all },
            ...Object.entries(t.kinds).map(([value, label]) => ({ value, label })),
          ]}
        />
        <TextInput
          key={`object-${filters.values.object === ''}`}
          label={t.objectId}
          dir="ltr"
          w={180}
          defaultValue={filters.values.object}
          onBlur={(event) => filters.set('object', event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') filters.set('object', event.currentTarget.value.trim());
          }}
        />
        <DayFilters filters={filters} />
      </FilterBar>
      <DataTable
        caption={title}
        pages={pages}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'who',
            title: t.who,
            cell: (row) => (
              <>
                <Who entry={row} />
                <Text size="xs" c="dimmed" component="div">
                  <Time at={row.at} to="second" />
                </Text>
              </>
            ),
          },
          {
            key: 'what',
            title: t.what,
            cell: (row) => (
              <>
                <Text size="sm">{t.kinds[row.object.kind ?? ''] ?? row.object.kind}</Text>
                <Text size="xs" c="dimmed" className="break-anywhere">
                  <bdi dir="ltr">{row.action}</bdi>
                </Text>
              </>
            ),
          },
          {
            key: 'object',
            title: t.object,
            cell: (row) => (
              <bdi dir="ltr" className="figures">
                {row.object.id ?? '–'}
              </bdi>
            ),
            wideOnly: true,
          },
          {
            key: 'from',
            title: t.from,
            cell: (row) => <bdi dir="ltr">{row.address ?? '–'}</bdi>,
            wideOnly: true,
          },
          {
            key: 'outcome',
            title: t.outcome,
            cell: (row) => <Outcome entry={row} />,
            wideOnly: true,
          },
          {
            key: 'details',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="subtle"
                aria-label={t.detailsOf(`${row.action}, ${row.id}`)}
                onClick={() => setLooked(row)}
              >
                {t.details}
              </Button>
            ),
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
      <Details entry={looked} onClose={() => setLooked(undefined)} />
    </Page>
  );
}

function Who({ entry }: { readonly entry: Entry }) {
  const { audit: t } = useTexts();
  if (entry.person) {
    return (
      <Text size="sm" fw={600}>
        <bdi dir="ltr">{entry.person.username}</bdi>
      </Text>
    );
  }
  if (entry.system_user !== null) {
    return (
      <Text size="sm">
        {t.commandLine} · <bdi dir="ltr">{entry.system_user}</bdi>
      </Text>
    );
  }
  return <Text size="sm">{entry.token_id === null ? t.commandLine : t.program}</Text>;
}

function Outcome({ entry }: { readonly entry: Entry }) {
  const { audit: t } = useTexts();
  const refused = entry.status >= 400;
  return (
    <StatusBadge tone={refused ? 'bad' : 'good'}>
      {refused ? `${t.refused} · ${entry.status}` : t.done}
    </StatusBadge>
  );
}

function Details({ entry, onClose }: { readonly entry: Entry | undefined; readonly onClose: () => void }) {
  const { audit: t, common } = useTexts();
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={t.details}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {entry && (
        <Stack>
          <div>
            <Who entry={entry} />
            <Text size="sm" c="dimmed" component="div">
              <Time at={entry.at} to="second" /> · <bdi dir="ltr">{entry.address ?? t.commandLine}</bdi>
            </Text>
          </div>
          <div>
            <Code>
              <bdi dir="ltr">{entry.action}</bdi>
            </Code>{' '}
            <Outcome entry={entry} />
          </div>
          <Changes entry={entry} />
        </Stack>
      )}
    </Drawer>
  );
}

/** What was changed, field by field; those that stayed are left out. */
function Changes({ entry }: { readonly entry: Entry }) {
  const { audit: t } = useTexts();
  const before = entry.before as Readonly<Record<string, unknown>> | null;
  const after = entry.after as Readonly<Record<string, unknown>> | null;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) => !before || !after || JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.nothingKept}
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t.field}</Table.Th>
            {before && <Table.Th scope="col">{t.before}</Table.Th>}
            {after && <Table.Th scope="col">{t.after}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">
                <bdi dir="ltr">{field}</bdi>
              </Table.Th>
              {before && <Table.Td>{shown(before[field])}</Table.Td>}
              {after && <Table.Td>{shown(after[field])}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function shown(value: unknown) {
  if (value === undefined || value === null || value === '') return '–';
  return (
    <bdi className="break-anywhere">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</bdi>
  );
}
