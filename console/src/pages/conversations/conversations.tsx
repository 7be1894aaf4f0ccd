import { Drawer, Title } from '@mantine/core';
import { useLocalStorage, useMediaQuery, useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { COUNTS, type Conversation, useConversation } from '../../api/conversation-queries.ts';
import { useLive } from '../../api/live.ts';
import type { Message } from '../../api/message-types.ts';
import { answerKey } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useDialogs } from '../../components/dialogs.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { BeginConversation } from './begin.tsx';
import type { OpenConversation } from './conversation.ts';
import { useListFilters } from './conversation-filters.ts';
import { ConversationList } from './conversation-list.tsx';
import { Details } from './details.tsx';
import { Thread } from './thread.tsx';
import { useInboxKeys } from './use-keys.ts';
import { useConversationList } from './use-list.ts';
import { useTimeline } from './use-timeline.ts';
import '../../features/handset/handset.css';
import './conversations.css';

/** Minimum milliseconds between two refreshes of the counts while conversations change. */
const COUNT_MS = 1_000;
/** Window widths from which the list is displayed next to the conversation, and from which the details are, too. */
const TWO_PANES = '(min-width: 52em)';
const THREE_PANES = '(min-width: 76em)';

const inEffect = { getInitialValueInEffect: false };

/**
 * The selected conversation. The list, the filters and the conversation are one page, with their state in the query of its
 * address.
 */
function useSelection() {
  const [params] = useSearchParams();
  const [location, navigate] = useLocation();
  const selected = params.get('id') ?? undefined;
  function hrefOf(id: string | undefined) {
    const next = new URLSearchParams(params);
    if (id === undefined) next.delete('id');
    else next.set('id', id);
    return next.size === 0 ? location : `${location}?${next}`;
  }
  return { selected, hrefOf, select: (id: string | undefined) => navigate(hrefOf(id)) };
}

/** Writes a changed conversation into the open one, and checks again whether a reply is possible. */
function useKeeping() {
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  return (row: Conversation) => {
    const queryKey = answerKey('/v1/conversations/{id}', byId(row.id));
    const before = queryClient.getQueryData<OpenConversation>(queryKey);
    if (!before) return;
    queryClient.setQueryData(queryKey, { ...before, ...row });
    const { client_wrote_at, channel, last_at } = before;
    const isSame =
      client_wrote_at === row.client_wrote_at && channel === row.channel && last_at === row.last_at;
    if (!isSame) void refresh(queryKey);
  };
}

/** Conversations with clients: the list, the open conversation, and its details; narrow windows show one at a time. */
export default function Conversations() {
  const { conversations: t, shell } = useTexts();
  const title = shell.pages.conversations;
  const { selected, hrefOf, select } = useSelection();
  const filters = useListFilters();
  const list = useConversationList(filters.query, filters.isMeant);
  const timeline = useTimeline(selected);
  const keep = useKeeping();
  const refresh = useRefresh();
  const refreshCounts = useThrottledCallback(() => void refresh(COUNTS), COUNT_MS);
  const dialogs = useDialogs();
  const hasTwo = useMediaQuery(TWO_PANES, undefined, inEffect) ?? true;
  const root = useRef<HTMLDivElement>(null);
  useInboxKeys(root);
  useEffect(() => {
    document.title = `${title} · ${shell.name}`;
  }, [title, shell.name]);

  function changed(row: Conversation) {
    list.change(row);
    keep(row);
    refreshCounts();
  }
  useLive(
    { conversations: 'true', conversation: selected },
    {
      conversation: (data) => {
        const row = data as Conversation;
        changed(row);
        if (row.id === selected) void timeline.refresh();
      },
      message: (data) => timeline.update(data as Message),
    },
  );
  const begin = () => dialogs.open(t.begin, <BeginConversation onBegun={select} />);
  return (
    <div ref={root} className="inbox" data-pane={selected === undefined ? 'list' : 'thread'}>
      <Title order={1} className="visually-hidden" tabIndex={-1}>
        {title}
      </Title>
      {(hasTwo || selected === undefined) && (
        <section className="inbox-list" aria-label={t.list}>
          <ConversationList
            list={list}
            filters={filters}
            selected={selected}
            hrefOf={hrefOf}
            onBegin={begin}
          />
        </section>
      )}
      {selected !== undefined ? (
        <Open
          key={selected}
          id={selected}
          timeline={timeline}
          onBack={hasTwo ? undefined : () => select(undefined)}
          onLeave={() => select(undefined)}
          onChanged={changed}
        />
      ) : (
        hasTwo && (
          <div className="inbox-none">
            <Empty icon={MessagesSquare} title={t.choose} hint={t.chooseHint} />
          </div>
        )
      )}
    </div>
  );
}

/** One conversation and its details. */
function Open({
  id,
  timeline,
  onBack,
  onLeave,
  onChanged,
}: {
  readonly id: string;
  readonly timeline: ReturnType<typeof useTimeline>;
  readonly onBack: (() => void) | undefined;
  readonly onLeave: () => void;
  readonly onChanged: (row: Conversation) => void;
}) {
  const { conversations: t } = useTexts();
  const query = useConversation(id);
  const { data } = query;
  const hasThree = useMediaQuery(THREE_PANES, undefined, inEffect) ?? true;
  const [isWanted, setWanted] = useLocalStorage({
    key: 'carillon-conversation-details',
    defaultValue: true,
    ...inEffect,
  });
  const [isDrawn, setDrawn] = useState(false);
  const [keepsUnread, setKeepsUnread] = useState(false);
  if (data === undefined) {
    return (
      <section className="inbox-thread" aria-label={t.one}>
        <Fetched query={query}>{() => null}</Fetched>
      </section>
    );
  }
  const details = (
    <Details
      conversation={data}
      onChanged={onChanged}
      onUnread={() => {
        setKeepsUnread(true);
        setDrawn(false);
        onLeave();
      }}
    />
  );
  return (
    <>
      <section className="inbox-thread" aria-label={t.one}>
        <Thread
          conversation={data}
          timeline={timeline}
          keepsUnread={keepsUnread}
          onBack={onBack}
          detailsShown={hasThree ? isWanted : isDrawn}
          onDetails={() => (hasThree ? setWanted(!isWanted) : setDrawn(true))}
          onChanged={onChanged}
        />
      </section>
      {hasThree
        ? isWanted && (
            <aside className="inbox-details" aria-label={t.details}>
              {details}
            </aside>
          )
        : isDrawn && (
            <Drawer opened onClose={() => setDrawn(false)} position="right" size="20rem" title={t.details}>
              {details}
            </Drawer>
          )}
    </>
  );
}
