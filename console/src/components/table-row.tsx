import { Box, Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';

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

/** Attributes of a cell. A row of two lines is a grid on phones, where browsers drop the roles of tables: it names them. */
export function cellProps<Row>(
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

export interface CellsProps<Row> {
  readonly columns: readonly Column<Row>[];
  /** Whether its rows have two lines on phones. */
  readonly isTwoLine: boolean;
}

/** The cells of a row; without a row, while it loads, placeholders. */
export function Cells<Row>({ columns, isTwoLine, row }: CellsProps<Row> & { readonly row: Row | undefined }) {
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

/** Place of a row in a table whose rows are not all in the page. */
export interface RowPlace {
  /** Number of the row, from 0. */
  readonly index: number;
  /** Gets the element, to measure its height. */
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

interface RowProps<Row> extends CellsProps<Row>, Partial<RowPlace> {
  readonly row: Row;
  /** Open in the side panel. */
  readonly isOpen: boolean;
}

function DrawnRow<Row>({ columns, isTwoLine, row, isOpen, index, measure }: RowProps<Row>) {
  return (
    <tr
      ref={measure}
      role={isTwoLine ? 'row' : undefined}
      aria-current={isOpen || undefined}
      {...(index !== undefined && { 'data-index': index, 'aria-rowindex': index + 2 })}
    >
      <Cells columns={columns} isTwoLine={isTwoLine} row={row} />
    </tr>
  );
}

/** A row of a table. It is not drawn again while its properties stay the same. */
export const TableRow = memo(DrawnRow) as typeof DrawnRow;
