import { Button } from '@mantine/core';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLive } from '../../api/live.ts';
import type { Channel, Message, MessageState } from '../../api/message-types.ts';
import { usePages } from '../../api/paging.ts';
import { useMay } from '../../api/session-context.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useTimeSpan } from '../../components/day-filters.tsx';
import { Download } from '../../components/download.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { HiddenNote } from '../../components/hidden-note.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { isOneOf, useFilters } from '../../components/use-filters.ts';
import { useOpened } from '../../components/use-opened.ts';
import { useChannelField } from '../../features/messages/channel-field.ts';
import { useMessageColumns } from '../../features/messages/columns.tsx';
import { MessagePanel } from '../../features/messages/message-panel.tsx';
import { searchMessages } from '../../features/messages/search.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { kinds, MessageSearch } from './message-search.tsx';

const ROWS = 50;
/** Rows of the further pages, which someone scrolls through. */
const MORE_ROWS = 100;
/** Messages that GET /v1/live watches at most. */
const MOST_WATCHED = 100;
const REFETCH_MS = 10_000;

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
  const pages = usePages(
    ['messages', conditions],
    (after) => searchMessages({ ...conditions, limit: after === undefined ? ROWS : MORE_ROWS }, after),
    REFETCH_MS,
  );
  const open = (pages.rows ?? []).filter((row) => row.state === 'waiting' || row.state === 'submitted');
  useLive(
    {
      messages: open
        .slice(0, MOST_WATCHED)
        .map(({ id }) => id)
        .join(),
    },
    {
      message(data) {
        const message = data as Message;
        setFresh((before) => ({ ...before, [message.id]: message }));
      },
    },
  );
  const latest = (row: Message) => fresh[row.id] ?? row;
  const opened = useOpened(pages.rows, ({ id }) => id);
  const channelField = useChannelField(channel, pages.rows);
  return (
    <Page
      lead={t.lead}
      actions={
        maySend && (
          <Download path={`/v1/messages.csv?${new URLSearchParams(conditions)}`}>{t.export}</Download>
        )
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'days' },
          {
            kind: 'choice',
            name: 'state',
            label: t.state,
            choices: states.map((value) => ({ value, label: t.states[value] })),
          },
          channelField,
        ]}
      >
        <MessageSearch
          key={`${kind} ${q}`}
          kind={kind}
          value={q}
          onKind={(value) => filters.set('by', value)}
          onSearch={(term) => filters.set('q', term)}
        />
      </FilterBar>
      <HiddenNote kind="message-text" />
      <DataTable
        pages={pages}
        rowKey={(row) => row.id}
        opened={opened.key}
        columns={useMessageColumns({ open: opened.open, latest })}
        empty={
          pages.more ? (
            <Empty title={t.more} action={<Button onClick={pages.more}>{t.title}</Button>} />
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
