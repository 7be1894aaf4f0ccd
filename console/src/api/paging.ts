import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from './client.ts';
import type { Answer, PathOf, Query } from './operations.ts';

/** One page of a list that is read by keys. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** The `after` of the following page; null on the last one. */
  readonly next: string | null;
}

export interface Pages<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  /** Rows of the page before are shown while those of this one are fetched. */
  readonly fetching: boolean;
  /** Number of the page, from 1. */
  readonly position: number;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  retry(): void;
}

/**
 * Pages through a list of any length: each page starts after the last key of the previous one, and only one page is in
 * memory.
 *
 * @param key names the list and all its filters; a different key begins at the first page
 * @param fetchPage gets `next` of the previous page, undefined for the first
 * @param refetchMs milliseconds between two refreshes of the visible page; without it the page is not refreshed
 */
export function usePages<Row>(
  key: readonly unknown[],
  fetchPage: (after: string | undefined) => Promise<KeysetPage<Row>>,
  refetchMs?: number,
): Pages<Row> {
  const identity = JSON.stringify(key);
  const [place, setPlace] = useState<{ identity: string; after: readonly string[] }>({ identity, after: [] });
  const after = place.identity === identity ? place.after : [];
  const current = after.at(-1);
  const query = useQuery({
    queryKey: [...key, { after: current ?? null }],
    queryFn: () => fetchPage(current),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs ?? false,
  });
  const following = query.isPlaceholderData ? null : query.data?.next;
  return {
    rows: query.data?.rows,
    error: query.error,
    fetching: query.isPlaceholderData,
    position: after.length + 1,
    previous: after.length > 0 ? () => setPlace({ identity, after: after.slice(0, -1) }) : undefined,
    next: following ? () => setPlace({ identity, after: [...after, following] }) : undefined,
    retry: () => void query.refetch(),
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
 * Pages through a list of /v1. `useRefresh` with the path reads it again.
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

/** Returns the pages of a list that one answer has whole. */
export const onePage = <Row>(
  { error, refetch }: Pick<UseQueryResult, 'error' | 'refetch'>,
  rows: readonly Row[] | undefined,
): Pages<Row> => ({
  rows,
  error,
  fetching: false,
  position: 1,
  previous: undefined,
  next: undefined,
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
