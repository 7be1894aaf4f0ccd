import { Box, Paper, Skeleton, Table, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Pager } from './pager.tsx';
import { ErrorNote } from './states.tsx';

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
  /** From 1. */
  readonly position: number;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  retry(): void;
}

/**
 * Pages through a list of any length: each page is found by the last key of the one before, and only one is in memory.
 *
 * @param key names the list, with everything that it is filtered by; another key begins at the first page
 * @param fetchPage gets `next` of the page before, undefined for the first
 * @param refetchMs how often the page on show is fetched anew, in milliseconds; never without it
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

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** For those who cannot see it alone, as that of buttons. */
  readonly hiddenTitle?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean;
  readonly width?: number | string;
}

/** A table of a list's pages, with its states. `caption` says what it is to those who cannot see it. */
export function DataTable<Row>({
  caption,
  columns,
  pages,
  rowKey,
  empty,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: Pages<Row>;
  readonly rowKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}) {
  if (pages.rows === undefined && pages.error) return <ErrorNote error={pages.error} onRetry={pages.retry} />;
  if (pages.rows?.length === 0 && pages.position === 1) return <Paper withBorder>{empty}</Paper>;
  const cellProps = ({ align, wideOnly, width }: Column<Row>) => ({
    ta: align ?? 'start',
    w: width,
    ...(wideOnly && { visibleFrom: 'sm' as const }),
  });
  return (
    <Paper withBorder className="table-card" aria-busy={pages.fetching || pages.rows === undefined}>
      <Table.ScrollContainer minWidth={320}>
        <Table
          verticalSpacing="sm"
          horizontalSpacing="md"
          highlightOnHover
          data-fetching={pages.fetching || undefined}
        >
          <Table.Caption className="table-caption">{caption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.key} scope="col" {...cellProps(column)}>
                  {column.hiddenTitle ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pages.rows === undefined
              ? [1, 2, 3, 4].map((line) => (
                  <Table.Tr key={line}>
                    {columns.map((column) => (
                      <Table.Td key={column.key} {...cellProps(column)}>
                        <Skeleton height={14} width="70%" />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))
              : pages.rows.map((row) => (
                  <Table.Tr key={rowKey(row)}>
                    {columns.map((column) => (
                      <Table.Td key={column.key} {...cellProps(column)}>
                        {column.cell(row)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {(pages.previous ?? pages.next) && (
        <Box p="xs" className="table-pages">
          <Pager pages={pages} />
        </Box>
      )}
    </Paper>
  );
}
