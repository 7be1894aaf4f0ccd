import { Box, getSpacing, Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../api/paging.ts';
import { usePageTitle } from './page-frame.ts';
import { Pager } from './pager.tsx';
import { ErrorNote } from './states.tsx';
import { Muted } from './text.tsx';
import './data-table.css';

/** Place in a row of two lines: `start`, `title` and `end` in the first, `text` and, at its end, `mark` in the second. */
type PhonePlace = 'start' | 'title' | 'end' | 'text' | 'mark';

export interface Column<Row> {
  readonly title: string;
  /** Shown in place of the title, such as a select for the target of a column. */
  readonly header?: ReactNode;
  /** For those who cannot see it alone, as that of buttons. */
  readonly hiddenTitle?: boolean;
  /** Key of the column, required when two columns have the same title. */
  readonly key?: string;
  readonly cell: (row: Row) => ReactNode;
  /** The cell names its row. */
  readonly rowHeader?: boolean;
  /** Greyed, as a column of a file that is not imported. */
  readonly leftOut?: boolean;
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** Left out on narrow screens; `widest`: also on small windows, of 1,024 pixels. */
  readonly wideOnly?: boolean | 'widest';
  /**
   * Place on phones, where a row has two lines if a column has a place. The columns without one are left out there, and the
   * headings are for screen readers alone. A click anywhere in the row is one on the link or button of `title`.
   */
  readonly onPhone?: PhonePlace;
  readonly width?: number | string;
  /** Its text does not widen the column: it is cut at its `width`. */
  readonly cut?: boolean;
}

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

/** A list page by page, with its states. */
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
  if (pages.rows?.length === 0 && pages.position === 1) return <Paper withBorder>{empty}</Paper>;
  return (
    <Paper withBorder className="table-card" aria-busy={pages.fetching || pages.rows === undefined}>
      <Rows
        {...table}
        rows={pages.rows}
        fetching={pages.fetching}
        highlight
        horizontalSpacing="md"
        verticalSpacing={CELL_SPACING_PX}
        minWidth={320}
      />
      {(pages.previous ?? pages.next) && (
        <Box p="xs" className="table-pages">
          <Pager pages={pages} />
        </Box>
      )}
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

/** Attributes of a cell. A row of two lines is a grid on phones, where browsers drop the roles of tables: it names them. */
function cellProps<Row>(
  { align, wideOnly, onPhone, cut }: Column<Row>,
  role: 'cell' | 'columnheader' | 'rowheader',
  isTwoLine: boolean,
) {
  const isLeftOut = wideOnly || (isTwoLine && onPhone === undefined);
  return {
    ta: align ?? 'start',
    'data-cut': cut,
    ...(isLeftOut && { visibleFrom: wideOnly === 'widest' ? ('lg' as const) : ('sm' as const) }),
    ...(isTwoLine && { role, 'data-place': onPhone }),
  };
}

interface CellsProps<Row> {
  readonly columns: readonly Column<Row>[];
  /** Whether its rows have two lines on phones. */
  readonly isTwoLine: boolean;
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

/** The cells of a row; without a row, while it loads, placeholders. */
function Cells<Row>({ columns, isTwoLine, row }: CellsProps<Row> & { readonly row: Row | undefined }) {
  return columns.map((column) => {
    const { title, key = title, rowHeader, leftOut, cell } = column;
    if (row === undefined)
      return (
        <Box component="td" key={key} {...cellProps(column, 'cell', isTwoLine)}>
          <Skeleton height={14} width="70%" />
        </Box>
      );
    return rowHeader ? (
      <Box component="th" key={key} scope="row" {...cellProps(column, 'rowheader', isTwoLine)} fw={500}>
        {cell(row)}
      </Box>
    ) : (
      <Box
        component="td"
        key={key}
        {...cellProps(column, 'cell', isTwoLine)}
        data-left-out={leftOut || undefined}
      >
        {cell(row)}
      </Box>
    );
  });
}

const PLACEHOLDERS = [1, 2, 3, 4];

function Rows<Row>({
  caption,
  columns: given,
  rows,
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
    readonly fetching?: boolean;
    readonly highlight?: boolean;
  }) {
  const pageTitle = usePageTitle();

  const columns = given.filter((column) => column !== false);
  const isTwoLine = columns.some(({ onPhone }) => onPhone !== undefined);
  const roleOf = (role: 'table' | 'rowgroup' | 'row') => (isTwoLine ? role : undefined);
  const style = {
    ...(!isTwoLine && { minWidth }),
    '--cell-block': getSpacing(verticalSpacing),
    '--cell-inline': getSpacing(horizontalSpacing),
    ...(captionSide && { captionSide }),
  };
  const table = (
    <table
      role={roleOf('table')}
      className={`table ${className}`}
      style={style}
      data-two-line={isTwoLine || undefined}
      data-bordered={withTableBorder || undefined}
      data-highlight={highlight || undefined}
      data-fetching={fetching || undefined}
    >
      <caption {...(!captionSide && { className: 'table-caption' })}>{caption ?? pageTitle}</caption>
      <thead role={roleOf('rowgroup')} {...(hiddenHead && { className: 'visually-hidden' })}>
        <Headings columns={columns} isTwoLine={isTwoLine} />
      </thead>
      <tbody role={roleOf('rowgroup')}>
        {rows === undefined
          ? PLACEHOLDERS.map((line) => (
              <tr key={line} role={roleOf('row')}>
                <Cells columns={columns} isTwoLine={isTwoLine} row={undefined} />
              </tr>
            ))
          : rows.map((row) => (
              <tr
                key={rowKey(row)}
                role={roleOf('row')}
                aria-current={opened === String(rowKey(row)) || undefined}
              >
                <Cells columns={columns} isTwoLine={isTwoLine} row={row} />
              </tr>
            ))}
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
