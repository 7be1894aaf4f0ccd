import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { request } from './client.ts';
import type { Answer, PathOf, Query } from './operations.ts';

/** One page of a list that is read by keys. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** The `after` of the following page; null on the last one. */
  readonly next: string | null;
}

/** A list whose pages are joined as they are fetched. */
export interface Pages<Row> {
  /** Rows of all pages so far; undefined while the first page loads. */
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  /** Rows of other filters are shown while those of these filters are fetched. */
  readonly fetching: boolean;
  /** Fetches the next page, unless a request is on its way; undefined at the end of the list. */
  readonly more: (() => void) | undefined;
  /** Whether a request is on its way. */
  readonly busy: boolean;
  /** Whether it is one for the next page. */
  readonly fetchingMore: boolean;
  /** Forgets all but the first pages, so that the list is refreshed again; undefined for a short list. */
  readonly shorten: (() => void) | undefined;
  retry(): void;
}

/** Pages of a list that is refreshed: a refresh fetches all its pages, one after the other. */
const REFRESHED_PAGES = 4;

/** Keeps the first pages of a list in the cache, with their age. */
function keepPages(queryClient: QueryClient, queryKey: QueryKey, count: number): void {
  queryClient.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, count), pageParams: data.pageParams.slice(0, count) },
    { updatedAt: queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0 },
  );
}

/**
 * Reads a list of any length: each page starts after the last key of the previous one. A list that is opened again begins at its
 * first page.
 *
 * @param key names the list and all its filters; a different key begins at the first page
 * @param fetchPage gets `next` of the previous page, undefined for the first
 * @param refetchMs milliseconds between two refreshes of a list of few pages; without it the list is not refreshed
 */
export function usePages<Row>(
  key: readonly unknown[],
  fetchPage: (after: string | undefined) => Promise<KeysetPage<Row>>,
  refetchMs?: number,
): Pages<Row> {
  const queryClient = useQueryClient();
  const queryKey = [...key, 'pages'];
  const isShort = (data: InfiniteData<unknown> | undefined) =>
    data === undefined || data.pages.length <= REFRESHED_PAGES;
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isShort(state.data) && refetchMs) || false,
    refetchOnWindowFocus: ({ state }) => isShort(state.data),
  });
  const { data, isFetching, isPlaceholderData } = query;
  const identity = JSON.stringify(queryKey);
  useEffect(() => () => keepPages(queryClient, JSON.parse(identity) as QueryKey, 1), [queryClient, identity]);
  return {
    rows: useMemo(() => data?.pages.flatMap(({ rows }) => rows), [data]),
    error: query.error,
    fetching: isPlaceholderData,
    more:
      query.hasNextPage && !isPlaceholderData ? () => !isFetching && void query.fetchNextPage() : undefined,
    busy: isFetching,
    fetchingMore: query.isFetchingNextPage,
    shorten: isShort(data) ? undefined : () => keepPages(queryClient, queryKey, REFRESHED_PAGES),
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  };
}

interface ListOptions<Path extends PathOf<'GET'>, Row> {
  /** Parts of the path: `{ id }`. */
  readonly path?: Readonly<Record<string, string>>;
  /** Filters; those that are '' or undefined are not asked for. */
  readonly query?: { readonly [Name in keyof Query<Path>]?: Query<Path>[Name] | '' | undefined };
  /** For lists whose answer has no `next`: the key of a row. One row more than `query.limit` is read then. */
  readonly keyOf?: (row: Row) => string;
  readonly refetchMs?: number;
}

/**
 * Reads a list of /v1, page by page. `useRefresh` with the path reads it again.
 *
 * @param rowsOf picks the rows out of an answer
 */
export function useList<Path extends PathOf<'GET'>, Row>(
  address: Path,
  rowsOf: (answer: Answer<Path>) => readonly Row[],
  { path, query = {}, keyOf, refetchMs }: ListOptions<Path, Row> = {},
): Pages<Row> {
  const filters: Record<string, unknown> = Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== '' && value !== undefined),
  );
  const limit = Number(filters.limit);
  const load = async (after: string | undefined): Promise<KeysetPage<Row>> => {
    const asked = { ...filters, ...(keyOf && { limit: limit + 1 }), ...(after !== undefined && { after }) };
    const answer: unknown = await request('GET', address, { path, query: asked } as never);
    const rows = rowsOf(answer as Answer<Path>);
    if (!keyOf) return { rows, next: (answer as { readonly next?: string | null }).next ?? null };
    const shown = rows.slice(0, limit);
    return { rows: shown, next: rows.length > limit ? keyOf(shown.at(-1)!) : null };
  };
  return usePages(['get', address, path ?? {}, filters], load, refetchMs);
}

/** Returns a list that one answer has whole. */
export const onePage = <Row>(
  { error, refetch }: Pick<UseQueryResult, 'error' | 'refetch'>,
  rows: readonly Row[] | undefined,
): Pages<Row> => ({
  rows,
  error,
  fetching: false,
  more: undefined,
  busy: false,
  fetchingMore: false,
  shorten: undefined,
  retry: () => void refetch(),
});

const PAGE = 500;
const MAX_PAGES = 10;

/** Options for a choice: rows of the first ten pages of a list, newest first. */
export function useChoices<Path extends PathOf<'GET'>, Row extends { readonly id: string }>(
  address: Path,
  rowsOf: (answer: Answer<Path>) => readonly Row[],
) {
  return useQuery({
    queryKey: ['get', address, 'choices'],
    queryFn: async (): Promise<readonly Row[]> => {
      const all: Row[] = [];
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { limit: PAGE, ...(page > 0 && { after: all.at(-1)!.id }) };
        const answer: unknown = await request('GET', address, { query } as never);
        const rows = rowsOf(answer as Answer<Path>);
        all.push(...rows);
        if (rows.length < PAGE) break;
      }
      return all.reverse();
    },
  });
}
