import { useMemo } from 'react';
import type { Conversation, ConversationQuery } from '../../api/conversation-queries.ts';
import { useSession } from '../../api/session-context.ts';
import { isOneOf, useFilters } from '../../components/use-filters.ts';

export const tabs = ['mine', 'unassigned', 'all', 'closed'] as const;
export type Tab = (typeof tabs)[number];

/** Filters of the list, from the address of the page. */
export function useListFilters() {
  const { values, set } = useFilters(['tab', 'label', 'unread', 'search']);
  const { person } = useSession();
  const tab: Tab = isOneOf(tabs, values.tab) ? values.tab : 'all';
  const { label, unread, search } = values;
  const query = useMemo(
    (): ConversationQuery => queryOf(tab, label, unread, search),
    [tab, label, unread, search],
  );

  /**
   * Whether the list includes the current state of a conversation. An unread conversation stays while the person reads it;
   * only the service can evaluate a search.
   */
  function isMeant(row: Conversation, isShown: boolean): boolean {
    if (search !== '' && tab === 'all') return isShown;
    if (row.state !== (tab === 'closed' ? 'closed' : 'open')) return false;
    if (tab === 'mine' && row.assignee_id !== person.id) return false;
    if (tab === 'unassigned' && row.assignee_id !== null) return false;
    if (label !== '' && !row.label_ids.includes(label)) return false;
    if (unread !== '' && row.unread === 0 && !isShown) return false;
    return search === '' || isShown;
  }
  return { values, set, tab, query, isMeant };
}
export type ListFilters = ReturnType<typeof useListFilters>;

function queryOf(tab: Tab, label: string, unread: string, search: string): ConversationQuery {
  return {
    // A search in all conversations looks for a client, so it includes closed conversations.
    ...((tab !== 'all' || search === '') && {
      state: tab === 'closed' ? ('closed' as const) : ('open' as const),
    }),
    ...(tab === 'mine' && { assignee: 'me' }),
    ...(tab === 'unassigned' && { assignee: 'none' }),
    ...(label !== '' && { label }),
    ...(unread !== '' && { unread: 'true' as const }),
    ...(search !== '' && { search }),
  };
}
