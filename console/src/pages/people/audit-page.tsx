import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import type { Answer, Query } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { DataTable, RowsTable } from '../../components/data-table.tsx';
import { useTimeSpan } from '../../components/day-filters.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { type Opened, useOpened } from '../../components/use-opened.ts';
import { StatusBadge, Time } from '../../components/values.tsx';
import { useActionTexts } from './action-texts.ts';
import { useTeam } from './team.ts';
import { useAuditTexts } from './texts.ts';

type Entry = Answer<'/v1/audit'>['entries'][number];

const ROWS = 50;

/** Audit log. */
export default function AuditPage() {
  const team = useTeam();
  const t = useAuditTexts();
  const filters = useFilters(['person', 'kind', 'object', 'from', 'until']);
  const { from, until, ...chosen } = filters.values;
  const span = useTimeSpan({ from, until });
  const people = useAnswer(team.people);
  const pages = useList(team.audit, ({ entries }) => entries, {
    query: { limit: ROWS, ...span, ...(chosen as Partial<Query<'/v1/audit'>>) },
  });
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Page lead={team.operators ? t.operatorLead : t.lead}>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'days' },
          {
            kind: 'choice',
            name: 'person',
            label: t.person,
            choices: (people.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
          { kind: 'choice', name: 'kind', label: t.kind, choices: t.kinds },
          { kind: 'text', name: 'object', label: t.objectId },
        ]}
      />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={[
          {
            title: t.who,
            cell: (row) => (
              <>
                <Who entry={row} />
                <Muted size="xs" component="div">
                  <Time at={row.at} to="second" />
                </Muted>
              </>
            ),
          },
          {
            title: t.what,
            cell: (row) => (
              <>
                <What entry={row} />
                <Muted size="xs">{t.kinds[row.object.kind ?? ''] ?? row.object.kind}</Muted>
              </>
            ),
          },
          {
            title: t.object,
            cell: (row) => (
              <bdi dir="ltr" className="figures">
                {row.object.id ?? '–'}
              </bdi>
            ),
            wideOnly: true,
          },
          { title: t.from, cell: (row) => <bdi dir="ltr">{row.address ?? '–'}</bdi>, wideOnly: true },
          { title: t.outcome, cell: (row) => <Outcome entry={row} />, wideOnly: true },
          {
            key: 'details',
            title: '',
            align: 'end',
            cell: (row) => (
              <Button
                size="xs"
                variant="subtle"
                aria-label={t.detailsOf(`${row.action}, ${row.id}`)}
                onClick={() => opened.open(row)}
              >
                {t.details}
              </Button>
            ),
          },
        ]}
        empty={<Empty filters={filters} icon={ScrollText} title={t.none} hint={t.noneHint} />}
      />
      {opened.row && <EntryPanel entry={opened.row} opened={opened} />}
    </Page>
  );
}

function Who({ entry }: { readonly entry: Entry }) {
  const t = useAuditTexts();
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

/** Action of an entry; a command of the command line is shown unchanged. */
function What({ entry }: { readonly entry: Entry }) {
  const words = useActionTexts()[entry.action];
  return (
    <Text size="sm" className="break-anywhere">
      {words ?? <bdi dir="ltr">{entry.action}</bdi>}
    </Text>
  );
}

function Outcome({ entry }: { readonly entry: Entry }) {
  const t = useAuditTexts();
  const refused = entry.status >= 400;
  return (
    <StatusBadge tone={refused ? 'bad' : 'good'}>
      {refused ? `${t.refused} · ${entry.status}` : t.done}
    </StatusBadge>
  );
}

function EntryPanel({ entry, opened }: { readonly entry: Entry; readonly opened: Opened<Entry> }) {
  const t = useAuditTexts();
  const words = useActionTexts()[entry.action];
  return (
    <SidePanel opened={opened} title={words ?? entry.action} id={entry.id} json={entry}>
      <Stack>
        <div>
          <Who entry={entry} />
          <Muted component="div">
            <Time at={entry.at} to="second" /> · <bdi dir="ltr">{entry.address ?? t.commandLine}</bdi>
          </Muted>
        </div>
        <Group gap="xs">
          <Code>
            <bdi dir="ltr">{entry.action}</bdi>
          </Code>
          <Outcome entry={entry} />
        </Group>
        <Changes entry={entry} />
      </Stack>
    </SidePanel>
  );
}

/** Changed fields with their old and new values. */
function Changes({ entry }: { readonly entry: Entry }) {
  const t = useAuditTexts();
  const before = entry.before as Readonly<Record<string, unknown>> | null;
  const after = entry.after as Readonly<Record<string, unknown>> | null;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) => !before || !after || JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  if (fields.length === 0) {
    return <Muted>{t.nothingKept}</Muted>;
  }
  return (
    <RowsTable
      caption={t.details}
      minWidth={320}
      rows={fields}
      rowKey={(field) => field}
      columns={[
        { title: t.field, rowHeader: true, cell: (field) => <bdi dir="ltr">{field}</bdi> },
        before !== null && { title: t.before, cell: (field) => shown(before[field]) },
        after !== null && { title: t.after, cell: (field) => shown(after[field]) },
      ]}
    />
  );
}

function shown(value: unknown) {
  if (value === undefined || value === null || value === '') return '–';
  return (
    <bdi className="break-anywhere">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</bdi>
  );
}
