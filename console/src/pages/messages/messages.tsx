import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core';
import { MessagesSquare, Search } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLive } from '../../api/live.ts';
import type { Channel, Message, MessageState } from '../../api/message-types.ts';
import { usePages } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Download } from '../../components/download.tsx';
import { DayFilters, FilterBar, isOneOf, useFilters, useTimeSpan } from '../../components/filters.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { useOpened } from '../../components/use-opened.ts';
import { ChannelFilter } from '../../features/messages/channel-filter.tsx';
import { useMessageColumns } from '../../features/messages/columns.tsx';
import { MessagePanel } from '../../features/messages/message-panel.tsx';
import { searchMessages } from '../../features/messages/search.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const ROWS = 50;
const REFETCH_MS = 10_000;

const kinds = ['phone', 'id', 'external', 'shipment', 'campaign'] as const;
type Kind = (typeof kinds)[number];
const states: readonly MessageState[] = ['waiting', 'submitted', 'delivered', 'read', 'failed', 'cancelled'];

/** The parameter of the service for each kind of search. */
const parameters = {
  phone: 'phone',
  id: 'id',
  external: 'external_id',
  shipment: 'shipment_id',
  campaign: 'campaign_name',
} as const;

/** Messages of every channel: search, pages, and live updates. */
export default function Messages() {
  const { messages: t } = useTexts();
  const maySend = useMay('sender');
  const filters = useFilters(['by', 'q', 'state', 'channel', 'from', 'until']);
  const span = useTimeSpan(filters.values);
  const { by, q, state, channel } = filters.values;
  const kind = isOneOf(kinds, by) ? by : 'phone';
  const [fresh, setFresh] = useState<Readonly<Record<string, Message>>>({});
  const conditions = {
    ...(q !== '' && { [parameters[kind]]: q }),
    ...(isOneOf(states, state) && { state }),
    ...(channel !== '' && { channel: channel as Channel }),
    ...span,
  };
  const query = { ...conditions, limit: ROWS };
  const pages = usePages(['messages', query], (after) => searchMessages(query, after), REFETCH_MS);
  const open = (pages.rows ?? []).filter((row) => row.state === 'waiting' || row.state === 'submitted');
  useLive(
    { messages: open.map(({ id }) => id).join() },
    {
      message(data) {
        const message = data as Message;
        setFresh((before) => ({ ...before, [message.id]: message }));
      },
    },
  );
  const latest = (row: Message) => fresh[row.id] ?? row;
  const opened = useOpened(pages.rows, ({ id }) => id);
  return (
    <Page
      lead={t.lead}
      actions={
        maySend && (
          <Download path={`/v1/messages.csv?${new URLSearchParams(conditions)}`}>{t.export}</Download>
        )
      }
    >
      <FilterBar filters={filters}>
        <Select
          label={t.searchBy}
          data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
          value={kind}
          onChange={(value) => filters.set('by', value ?? '')}
          allowDeselect={false}
          w={{ base: '100%', xs: 160 }}
        />
        <Term key={`${kind} ${q}`} kind={kind} value={q} onSearch={(term) => filters.set('q', term)} />
        <Select
          label={t.state}
          placeholder={t.anyState}
          data={states.map((value) => ({ value, label: t.states[value] }))}
          value={isOneOf(states, state) ? state : null}
          onChange={(value) => filters.set('state', value ?? '')}
          clearable
          w={{ base: '100%', xs: 140 }}
        />
        <ChannelFilter
          value={channel}
          found={(pages.rows ?? []).map((row) => row.channel)}
          onChange={(value) => filters.set('channel', value)}
        />
        <DayFilters filters={filters} />
      </FilterBar>
      <HiddenNote kind="message-text" />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={useMessageColumns({ open: opened.open, latest })}
        empty={
          pages.next ? (
            <Empty title={t.more} action={<Button onClick={pages.next}>{t.title}</Button>} />
          ) : (
            <Empty
              filters={filters}
              icon={MessagesSquare}
              title={t.none}
              hint={t.noneHint}
              action={
                maySend && (
                  <Button component={Link} href="/send">
                    {t.sendOne}
                  </Button>
                )
              }
            />
          )
        }
      />
      <MessagePanel opened={opened} />
    </Page>
  );
}

/** Search term, applied when the person presses Enter: half a number matches nothing. */
function Term({
  kind,
  value,
  onSearch,
}: {
  readonly kind: Kind;
  readonly value: string;
  readonly onSearch: (term: string) => void;
}) {
  const { messages: t, common } = useTexts();
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState<string>();
  function search(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const term = typed.trim();
    const problem =
      kind === 'phone' && !/^\+?[\d\s().-]{3,30}$/.test(term)
        ? t.badNumber
        : (kind === 'id' || kind === 'shipment') && !/^\d{1,16}$/.test(term)
          ? t.badId
          : undefined;
    const shown = term === '' ? undefined : problem;
    setError(shown);
    if (shown === undefined) onSearch(term);
  }
  return (
    <form onSubmit={search}>
      <Group gap={0}>
        <TextInput
          type="search"
          label={t.term}
          placeholder={t.kinds[kind]}
          {...(kind !== 'campaign' && { dir: 'ltr' as const })}
          value={typed}
          error={error}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={kind === 'external' ? 255 : 50}
          rightSection={
            <ActionIcon type="submit" variant="subtle" aria-label={common.search}>
              <Search size={16} />
            </ActionIcon>
          }
          w={{ base: '100%', xs: 240 }}
        />
      </Group>
    </form>
  );
}
