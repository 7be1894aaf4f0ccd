import { useCallback, useEffect, useReducer, useRef } from 'react';
import { client } from '../../api/client.ts';
import type { Conversation, ConversationQuery } from '../../api/conversation-queries.ts';

/**
 * Rows per page, and maximum rows in memory: rows dropped at the top load again when the person returns to the newest ones.
 */
const PAGE = 50;
const MAX_ROWS = 300;
/** Maximum rows including changed ones: beyond it only the newest page is reloaded, and other rows are dropped. */
const MAX_CHANGED = 600;
/** The live stream reports changes immediately; this interval covers a stream that a proxy delays. */
const REFRESH_MS = 20_000;

interface State {
  readonly rows: readonly Conversation[] | undefined;
  /** `after` of the following page; null on the last one. */
  readonly next: string | null;
  /** Whether the first row is the newest; false: rows of before were let go. */
  readonly isWhole: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
}
type Change =
  | { readonly kind: 'reset' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'newest' | 'more'; readonly rows: readonly Conversation[]; readonly next: string | null }
  | { readonly kind: 'changed'; readonly row: Conversation; readonly isMeant: boolean };

const empty: State = { rows: undefined, next: null, isWhole: true, isLoading: true, error: null };

/** The newest first; of the same moment the one that began later. */
const order = (one: Conversation, other: Conversation): number =>
  other.last_at.localeCompare(one.last_at) || Number(other.id) - Number(one.id);

function reduce(state: State, change: Change): State {
  switch (change.kind) {
    case 'reset':
      return empty;
    case 'loading':
      return { ...state, isLoading: true, error: null };
    case 'failed':
      return { ...state, isLoading: false, error: change.error };
    case 'newest':
      return withNewest(state, change.rows, change.next);
    case 'more': {
      const known = state.rows ?? [];
      const ids = new Set(known.map(({ id }) => id));
      const rows = [...known, ...change.rows.filter(({ id }) => !ids.has(id))];
      const kept = rows.slice(-MAX_ROWS);
      const isWhole = state.isWhole && kept.length === rows.length;
      return { rows: kept, next: change.next, isWhole, isLoading: false, error: null };
    }
    case 'changed':
      return state.rows === undefined ? state : withChanged(state, state.rows, change.row, change.isMeant);
  }
}

/** Reloads the first page. Later pages stay, unless a gap separates them from the new first page. */
function withNewest(state: State, rows: readonly Conversation[], next: string | null): State {
  const done = { isLoading: false, error: null };
  if (!state.isWhole) return { ...state, ...done };
  const last = rows.at(-1);
  const ids = new Set(rows.map(({ id }) => id));
  const touches = last !== undefined && state.rows?.some(({ id }) => id === last.id);
  if (next === null || !touches) return { rows, next, isWhole: true, ...done };
  const rest = state.rows!.filter((row) => !ids.has(row.id) && order(last, row) < 0);
  if (rest.length === 0) return { rows, next, isWhole: true, ...done };
  return { ...state, ...done, rows: [...rows, ...rest] };
}

function withChanged(
  state: State,
  rows: readonly Conversation[],
  row: Conversation,
  isMeant: boolean,
): State {
  const others = rows.filter(({ id }) => id !== row.id);
  const last = others.at(-1);
  // A row after the loaded ones comes with its page; a row before the loaded ones comes with the newest page.
  const isBeyond = state.next !== null && last !== undefined && order(last, row) < 0;
  const isAbove = !state.isWhole && others.length > 0 && order(row, others[0]!) < 0;
  if (!isMeant || isBeyond || isAbove)
    return others.length === rows.length ? state : { ...state, rows: others };
  return { ...state, rows: [...others, row].sort(order) };
}

/**
 * Conversations of a query, ordered by their last message and updated live: `change` handles an update of the live stream.
 *
 * @param isMeant whether the query matches the current state of a conversation; `isShown`: whether it matched before
 */
export function useConversationList(
  query: ConversationQuery,
  isMeant: (row: Conversation, isShown: boolean) => boolean,
) {
  const [state, dispatch] = useReducer(reduce, empty);
  const key = JSON.stringify(query);
  const asked = useRef(key);

  const load = useCallback(async (wanted: string, after: string | null) => {
    if (after !== null) dispatch({ kind: 'loading' });
    try {
      const given = JSON.parse(wanted) as ConversationQuery;
      const data = await client.GET('/v1/conversations', {
        query: { ...given, limit: PAGE, ...(after !== null && { after }) },
      });
      if (asked.current !== wanted) return;
      const { conversations: rows, next } = data;
      dispatch({ kind: after === null ? 'newest' : 'more', rows, next });
    } catch (error) {
      if (asked.current === wanted) dispatch({ kind: 'failed', error });
    }
  }, []);

  useEffect(() => {
    asked.current = key;
    dispatch({ kind: 'reset' });
    void load(key, null);
    const timer = setInterval(() => void load(key, null), REFRESH_MS);
    return () => clearInterval(timer);
  }, [key, load]);

  /** Loads the newest page and drops the other rows. */
  function toNewest() {
    dispatch({ kind: 'reset' });
    void load(key, null);
  }
  return {
    ...state,
    toNewest,
    /** Reads the following page. */
    more: () => {
      if (!state.isLoading && state.next !== null) void load(key, state.next);
    },
    retry: () => void load(key, null),
    change: (row: Conversation) => {
      if ((state.rows?.length ?? 0) > MAX_CHANGED) toNewest();
      const isShown = state.rows?.some(({ id }) => id === row.id) ?? false;
      dispatch({ kind: 'changed', row, isMeant: isMeant(row, isShown) });
    },
  };
}
