import { ActionIcon, Button, Group, NativeSelect, Switch, UnstyledButton } from '@mantine/core';
import { Inbox, ListFilter, SquarePen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import {
  type Conversation,
  useConversationAgents,
  useConversationCounts,
  useConversationLabels,
} from '../../api/conversation-queries.ts';
import { SearchField } from '../../components/search-field.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { Count } from '../../components/values.tsx';
import { ChannelIcon } from '../../features/messages/channel-icon.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AlertMenu } from './alert-menu.tsx';
import { type ListFilters, type Tab, tabs } from './conversation-filters.ts';
import { ClientName, LabelBadge } from './names.tsx';
import { useInboxTimes } from './times.ts';
import type { useConversationList } from './use-list.ts';

/** So far before its end, in pixels, the list reads on. */
const AHEAD = 600;

/** The conversations: which ones, and the rows. */
export function ConversationList({
  list,
  filters,
  selected,
  hrefOf,
  onBegin,
}: {
  readonly list: ReturnType<typeof useConversationList>;
  readonly filters: ListFilters;
  readonly selected: string | undefined;
  readonly hrefOf: (id: string) => string;
  readonly onBegin: () => void;
}) {
  const { conversations: t } = useTexts();
  const { values, set } = filters;
  const [isFiltering, setFiltering] = useState(values.label !== '' || values.unread !== '');
  return (
    <>
      <Group gap="xs" wrap="nowrap" className="list-tools">
        <SearchField
          label={t.search}
          size="xs"
          w="100%"
          maxLength={100}
          value={values.search}
          className="list-search"
          onSearch={(text) => set('search', text)}
        />
        <ActionIcon
          variant={isFiltering ? 'light' : 'default'}
          size="input-xs"
          aria-label={t.filter}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          <ListFilter size={16} />
        </ActionIcon>
        <AlertMenu />
        <ActionIcon size="input-xs" aria-label={t.begin} onClick={onBegin}>
          <SquarePen size={16} />
        </ActionIcon>
      </Group>
      {isFiltering && <Filters filters={filters} />}
      <Tabs filters={filters} />
      <Rows list={list} filters={filters} selected={selected} hrefOf={hrefOf} />
    </>
  );
}

function Filters({ filters: { values, set } }: { readonly filters: ListFilters }) {
  const { conversations: t } = useTexts();
  const labels = useConversationLabels();
  return (
    <Group gap="sm" className="list-tools" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={t.labels}
        value={values.label}
        onChange={(event) => set('label', event.currentTarget.value)}
        data={[
          { value: '', label: t.anyLabel },
          ...labels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        flex={1}
      />
      <Switch
        size="xs"
        label={t.unreadOnly}
        checked={values.unread === 'true'}
        onChange={(event) => set('unread', event.currentTarget.checked ? 'true' : '')}
      />
    </Group>
  );
}

/** Tabs of the list, each with its number of open conversations. */
function Tabs({ filters: { tab, set } }: { readonly filters: ListFilters }) {
  const { conversations: t } = useTexts();
  const counts = useConversationCounts();
  const countOf: Readonly<Record<Tab, number | undefined>> = {
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    all: counts?.open,
    closed: undefined,
  };
  return (
    <nav className="list-tabs" aria-label={t.tabsLabel}>
      {tabs.map((one) => {
        const count = countOf[one];
        return (
          <UnstyledButton
            key={one}
            className="list-tab"
            aria-current={tab === one ? 'true' : undefined}
            onClick={() => set('tab', one)}
          >
            {t.tabs[one]}
            {count !== undefined && count > 0 && (
              <span className="list-tab-count">
                <Count value={count} />
              </span>
            )}
          </UnstyledButton>
        );
      })}
    </nav>
  );
}

function Rows({
  list: { rows, next, isWhole, isLoading, error, more, toNewest, retry },
  filters: { tab, values },
  selected,
  hrefOf,
}: {
  readonly list: ReturnType<typeof useConversationList>;
  readonly filters: ListFilters;
  readonly selected: string | undefined;
  readonly hrefOf: (id: string) => string;
}) {
  const { conversations: t } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  function readAhead() {
    const { scrollHeight, scrollTop, clientHeight } = box.current!;
    if (scrollHeight - scrollTop - clientHeight < AHEAD) more();
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: until there is more than the window shows
  useEffect(readAhead, [rows]);
  const isFiltered = values.search !== '' || values.label !== '' || values.unread !== '';
  return (
    <div ref={box} className="list-rows" onScroll={readAhead}>
      <ErrorNote error={error} onRetry={retry} />
      {!isWhole && (
        <Button variant="light" size="compact-sm" fullWidth onClick={toNewest}>
          {t.toNewest}
        </Button>
      )}
      {rows === undefined && error === null && <Loading />}
      {rows?.length === 0 && (
        <Empty
          icon={Inbox}
          title={tab === 'all' ? t.none : t.noneOfTab[tab]}
          {...(tab === 'all' && { hint: t.noneHint })}
          filters={{ any: isFiltered }}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul className="plain-list" aria-label={t.list} aria-busy={isLoading}>
          {rows.map((row) => (
            <Row key={row.id} row={row} isSelected={row.id === selected} href={hrefOf(row.id)} />
          ))}
        </ul>
      )}
      {next !== null && isLoading && rows !== undefined && <p className="list-more">{t.loadingMore}</p>}
    </div>
  );
}

function Row({
  row,
  isSelected,
  href,
}: {
  readonly row: Conversation;
  readonly isSelected: boolean;
  readonly href: string;
}) {
  const { conversations: t, messages } = useTexts();
  const { short } = useInboxTimes();
  const labels = useConversationLabels();
  const agents = useConversationAgents();
  const { unread, last_text, last_type, last_from_client, last_at, assignee_id, label_ids, channel } = row;
  // A text message is never empty, so its text was removed.
  const types: Readonly<Record<string, string>> = { ...t.types, ...t.lastTypes, text: messages.textRemoved };
  const text = last_type === 'reaction' ? t.reacted(last_text) : last_text || (types[last_type] ?? '');
  const assignee = agents.find(({ id }) => id === assignee_id)?.name;
  return (
    <li>
      <Link
        href={href}
        className="list-row"
        data-conversation={row.id}
        data-unread={unread > 0 || undefined}
        aria-current={isSelected ? 'true' : undefined}
      >
        <span className="list-row-line">
          <ChannelIcon channel={channel} />
          <span className="list-row-name">
            <ClientName conversation={row} />
          </span>
          <time dateTime={last_at} className="list-row-time">
            {short(last_at)}
          </time>
        </span>
        <span className="list-row-line">
          {!last_from_client && text !== '' && <span className="list-row-us">{t.us}:</span>}
          <span className="list-row-text" dir="auto">
            {text}
          </span>
          {unread > 0 && (
            <span className="list-row-unread">
              <span aria-hidden>
                <Count value={unread} />
              </span>
              <span className="visually-hidden">{t.unread(unread)}</span>
            </span>
          )}
        </span>
        {(assignee !== undefined || label_ids.length > 0) && (
          <span className="list-row-line list-row-marks">
            {labels
              .filter(({ id }) => label_ids.includes(id))
              .map((label) => (
                <LabelBadge key={label.id} label={label} />
              ))}
            {assignee !== undefined && (
              <span className="list-row-assignee">
                <span className="visually-hidden">{t.assignedTo('')}</span>
                <bdi>{assignee}</bdi>
              </span>
            )}
          </span>
        )}
      </Link>
    </li>
  );
}
