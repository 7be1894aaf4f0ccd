import { Box, getSpacing, Paper, VisuallyHidden } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Pages } from '../api/paging.ts';
import { MoreRows } from './more-rows.tsx';
import { usePageTitle } from './page-frame.ts';
import { ErrorNote } from './states.tsx';
import { Cells, type CellsProps, type Column, cellProps, type RowPlace, TableRow } from './table-row.tsx';
import { Muted } from './text.tsx';
import './data-table.css';

export type { Column } from './table-row.tsx';

const WindowRows = lazy(() => import('./window-rows.tsx'));
/** Rows of a table that are all in the page. Of a longer one, only those around the window are. */
const MOST_IN_PAGE = 100;
/** `aria-rowcount` of a table whose number of rows is not known. */
const UNKNOWN = -1;

interface Props<Row> {
  /** Description of the table for screen readers; without it, the title of the page. */
  readonly caption?: string;
  /** `false` for one that this reader does not have. */
  readonly columns: readonly (Column<Row> | false)[];
  readonly rowKey: (row: Row) => string | number;
  /** Key of the row that is open in the side panel. */
  readonly opened?: string | undefined;
}

/** Space above and below the content of a cell, in pixels: a row with buttons has 40 (styles.css). */
const CELL_SPACING_PX = 5;

/**
 * A list of any length, with its states. One that is the whole page fetches more as one scrolls; one with a caption is a part of a
 * page and has a button for that, so that what follows it stays in reach.
 */
export function DataTable<Row>({
  pages,
  empty,
  ...table
}: Props<Row> & {
  readonly pages: Pages<Row>;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}) {
  if (pages.rows === undefined && pages.error) return <ErrorNote error={pages.error} onRetry={pages.retry} />;
  if (pages.rows?.length === 0) return <Paper withBorder>{empty}</Paper>;
  return (
    <Paper withBorder className="table-card" aria-busy={pages.fetching || pages.rows === undefined}>
      <Rows
        {...table}
        rows={pages.rows}
        list={pages}
        fetching={pages.fetching}
        highlight
        horizontalSpacing="md"
        verticalSpacing={CELL_SPACING_PX}
        minWidth={320}
      />
      <MoreRows pages={pages} scrolls={table.caption === undefined} />
    </Paper>
  );
}

/** Rows that are all there, in a card. `empty` stands instead of a table without rows. */
export function RowsTable<Row>({
  empty,
  ...table
}: Props<Row> & TableLook & { readonly rows: readonly Row[]; readonly empty?: string }) {
  if (empty !== undefined && table.rows.length === 0) return <Muted>{empty}</Muted>;
  return <Rows verticalSpacing="xs" {...table} />;
}

interface TableLook {
  readonly verticalSpacing?: string | number;
  readonly horizontalSpacing?: string;
  readonly className?: string;
  readonly withTableBorder?: boolean;
  /** Shows the caption above the rows; otherwise only screen readers read it. */
  readonly captionSide?: 'top';
  readonly minWidth?: number;
  readonly maxHeight?: number;
  /** Only for screen readers: a plot shows the same data. */
  readonly hidden?: boolean;
  /** Hides the header row, for tables with self-explanatory cells. */
  readonly hiddenHead?: boolean;
}

/** The row of headings. */
function Headings<Row>({ columns, isTwoLine }: CellsProps<Row>) {
  return (
    <tr role={isTwoLine ? 'row' : undefined}>
      {columns.map((column) => {
        const { title, header, key = title, hiddenTitle, width } = column;
        return title === '' && header === undefined ? (
          <Box component="td" key={key} w={width} {...cellProps(column, 'cell', isTwoLine)} />
        ) : (
          <Box
            component="th"
            key={key}
            scope="col"
            w={width}
            {...cellProps(column, 'columnheader', isTwoLine)}
          >
            {header ?? (hiddenTitle ? <VisuallyHidden>{title}</VisuallyHidden> : title)}
          </Box>
        );
      })}
    </tr>
  );
}

const PLACEHOLDERS = [1, 2, 3, 4];

function WholeRows<Row>({
  rows,
  draw,
}: {
  readonly rows: readonly Row[];
  readonly draw: (row: Row) => ReactNode;
}) {
  return rows.map((row) => draw(row));
}

/** The rows of a table; of a long one, those around the window. */
function BodyRows<Row>({
  rows,
  rowKey,
  opened,
  isLong,
  onTop,
  ...cells
}: CellsProps<Row> &
  Pick<Props<Row>, 'rowKey' | 'opened'> & {
    readonly rows: readonly Row[];
    readonly isLong: boolean;
    readonly onTop: (() => void) | undefined;
  }) {
  const isOpen = (row: Row) => opened === String(rowKey(row));
  const draw = (row: Row, place?: RowPlace) => (
    <TableRow key={rowKey(row)} {...cells} row={row} isOpen={isOpen(row)} {...place} />
  );
  const whole = <WholeRows rows={rows} draw={draw} />;
  if (!isLong) return whole;
  return (
    <Suspense fallback={whole}>
      <WindowRows
        count={rows.length}
        keyOf={(index) => rowKey(rows[index]!)}
        draw={(index, measure) => draw(rows[index]!, { index, measure })}
        opened={opened === undefined ? -1 : rows.findIndex(isOpen)}
        onTop={onTop}
      />
    </Suspense>
  );
}

function Rows<Row>({
  caption,
  columns: given,
  rows,
  list,
  rowKey,
  opened,
  fetching,
  highlight,
  captionSide,
  minWidth = 240,
  maxHeight,
  hidden,
  hiddenHead,
  verticalSpacing = 'sm',
  horizontalSpacing = 'xs',
  withTableBorder = false,
  className = '',
}: Props<Row> &
  TableLook & {
    /** undefined while they load. */
    readonly rows: readonly Row[] | undefined;
    /** The list that the rows belong to, if it is read page by page. */
    readonly list?: Pages<Row>;
    readonly fetching?: boolean;
    readonly highlight?: boolean;
  }) {
  const pageTitle = usePageTitle();

  const columns = given.filter((column) => column !== false);
  const isTwoLine = columns.some(({ onPhone }) => onPhone !== undefined);
  const cells = { columns, isTwoLine };
  const roleOf = (role: 'table' | 'rowgroup' | 'row') => (isTwoLine ? role : undefined);
  const style = {
    ...(!isTwoLine && { minWidth }),
    '--cell-block': getSpacing(verticalSpacing),
    '--cell-inline': getSpacing(horizontalSpacing),
    ...(captionSide && { captionSide }),
  };
  const isLong = list !== undefined && (rows?.length ?? 0) > MOST_IN_PAGE;
  const rowCount = list?.more ? UNKNOWN : (rows?.length ?? 0) + 1;
  const table = (
    <table
      role={roleOf('table')}
      className={`table ${className}`}
      style={style}
      data-two-line={isTwoLine || undefined}
      data-bordered={withTableBorder || undefined}
      data-highlight={highlight || undefined}
      data-fetching={fetching || undefined}
      aria-rowcount={isLong ? rowCount : undefined}
    >
      <caption {...(!captionSide && { className: 'table-caption' })}>{caption ?? pageTitle}</caption>
      <thead role={roleOf('rowgroup')} {...(hiddenHead && { className: 'visually-hidden' })}>
        <Headings columns={columns} isTwoLine={isTwoLine} />
      </thead>
      <tbody role={roleOf('rowgroup')}>
        {rows === undefined ? (
          PLACEHOLDERS.map((line) => (
            <tr key={line} role={roleOf('row')}>
              <Cells {...cells} row={undefined} />
            </tr>
          ))
        ) : (
          <BodyRows
            {...cells}
            rows={rows}
            rowKey={rowKey}
            opened={opened}
            isLong={isLong}
            onTop={list?.shorten}
          />
        )}
      </tbody>
    </table>
  );
  if (hidden) return <VisuallyHidden>{table}</VisuallyHidden>;
  return (
    <div className="table-scroll" style={{ maxHeight }}>
      {table}
    </div>
  );
}
