import { useCallback, useEffect, useReducer, useRef } from 'react';
import { byId, client } from '../../api/client.ts';
import type { TimelineItem } from '../../api/conversation-queries.ts';
import type { Message } from '../../api/message-types.ts';

const PAGE = 40;
/** The live stream reports changes immediately; this interval covers a stream that a proxy delays. */
const REFRESH_MS = 20_000;

interface State {
  /** Conversation that the state belongs to. */
  readonly of: string | undefined;
  /** The oldest first. */
  readonly items: readonly TimelineItem[] | undefined;
  /** `after` of the page before; null: these are all. */
  readonly earlier: string | null;
  readonly isLoading: boolean;
  readonly error: unknown;
}
type Change =
  | { readonly kind: 'begun'; readonly of: string | undefined }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'newest' | 'earlier';
      readonly items: readonly TimelineItem[];
      readonly next: string | null;
    }
  | { readonly kind: 'message'; readonly message: Message };

const empty: State = { of: undefined, items: undefined, earlier: null, isLoading: false, error: null };

function reduce(state: State, change: Change): State {
  switch (change.kind) {
    case 'begun':
      return { ...empty, of: change.of };
    case 'loading':
      return { ...state, isLoading: true, error: null };
    case 'failed':
      return { ...state, isLoading: false, error: change.error };
    case 'newest':
    case 'earlier': {
      const ids = new Set(change.items.map(({ id }) => id));
      const known = state.items ?? [];
      // A gap separates the loaded items from the newest page, so the timeline starts again from that page.
      const hasGap = change.kind === 'newest' && change.next !== null && !known.some(({ id }) => ids.has(id));
      const kept = hasGap ? [] : known.filter(({ id }) => !ids.has(id));
      const items = [...kept, ...change.items].sort((one, other) => Number(one.id) - Number(other.id));
      const isFirst = change.kind === 'earlier' || kept.length === 0;
      return {
        of: state.of,
        items,
        earlier: isFirst ? change.next : state.earlier,
        isLoading: false,
        error: null,
      };
    }
    case 'message': {
      const { message } = change;
      const items = state.items?.map((item) => (item.id === message.id ? { ...item, message } : item));
      return { ...state, items };
    }
  }
}

/** Timeline of a conversation, read page by page from its end and updated live; empty while `id` is undefined. */
export function useTimeline(id: string | undefined) {
  const [state, dispatch] = useReducer(reduce, empty);
  const asked = useRef(id);

  const load = useCallback(async (of: string | undefined, after: string | null) => {
    if (of === undefined) return;
    if (after !== null) dispatch({ kind: 'loading' });
    try {
      const data = await client.GET('/v1/conversations/{id}/timeline', {
        ...byId(of),
        query: { limit: PAGE, ...(after !== null && { after }) },
      });
      if (asked.current === of) dispatch({ kind: after === null ? 'newest' : 'earlier', ...data });
    } catch (error) {
      if (asked.current === of) dispatch({ kind: 'failed', error });
    }
  }, []);

  useEffect(() => {
    asked.current = id;
    dispatch({ kind: 'begun', of: id });
    void load(id, null);
    const timer = setInterval(() => void load(id, null), REFRESH_MS);
    return () => clearInterval(timer);
  }, [id, load]);

  const shown = state.of === id ? state : empty;
  return {
    ...shown,
    /** Reads the newest page again. */
    refresh: () => load(id, null),
    /** Reads the page before. */
    more: () => {
      if (!shown.isLoading && shown.earlier !== null) void load(id, shown.earlier);
    },
    /** A message that was sent, as it is now. */
    update: (message: Message) => {
      const isKnown = shown.items?.some((item) => item.id === message.id) ?? true;
      const isNew = Number(message.id) > Number(shown.items?.at(-1)?.id ?? 0);
      if (isKnown) dispatch({ kind: 'message', message });
      else if (isNew) void load(id, null);
    },
  };
}
export type Timeline = ReturnType<typeof useTimeline>;
