import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row, in pixels, until it was measured. */
const ROW_PX = 41;
/** Rows above and below the window that are in the page: with J and K and for a turn of the wheel they are there. */
const OVERSCAN = 20;

interface Props {
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  /** Draws a row, whose element `measure` gets. */
  readonly draw: (index: number, measure: (row: HTMLTableRowElement | null) => void) => ReactNode;
  /** Number of the row that is open in the side panel; -1 without one. */
  readonly opened: number;
  /** Called when the reader is back at the first row. */
  readonly onTop: (() => void) | undefined;
}

/**
 * The body of a long table: only the rows around the window are in the page. New rows are drawn when the browser has time, so that
 * scrolling is not interrupted.
 */
export default function WindowRows(props: Props) {
  return <DrawnRows {...useDeferredValue(props)} />;
}

const DrawnRows = memo(function DrawnRows({ count, keyOf, draw, opened, onTop }: Props) {
  const above = useRef<HTMLTableRowElement>(null);
  const top = useTopOf(above);
  useFixedColumns(above);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialOffset: () => scrollY,
    getItemKey: keyOf,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  const wasBelow = useRef(false);
  useEffect(() => {
    if (first === 0 && wasBelow.current) onTop?.();
    wasBelow.current = first > 0;
  }, [first, onTop]);

  const key = opened < 0 ? undefined : keyOf(opened);
  const isOutside = opened >= 0 && (opened < first || opened > last);
  // Only when another row is opened: one may scroll away from an open row.
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    if (isOutside) virtualizer.scrollToIndex(opened, { align: 'center' });
  }, [key, isOutside, opened, virtualizer]);

  return (
    <>
      <Space height={(items[0]?.start ?? top) - top} ref={above} />
      {items.map(({ index }) => draw(index, virtualizer.measureElement))}
      <Space height={virtualizer.getTotalSize() + top - (items.at(-1)?.end ?? top)} />
    </>
  );
});

/** Stands for the rows that are not in the page. */
function Space({ height, ref }: { readonly height: number; readonly ref?: React.Ref<HTMLTableRowElement> }) {
  return (
    <tr ref={ref} className="table-space" aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

/** Returns the distance, in pixels, of an element from the top of the page. */
function useTopOf(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round(element.current!.getBoundingClientRect().top + scrollY));
    measure();
    // The filters above the table may get more lines.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/** Keeps the widths of the columns while other rows come into the page, until the table gets another width. */
function useFixedColumns(inside: React.RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const table = inside.current!.closest('table')!;
    const headings = [...table.querySelectorAll<HTMLElement>('thead tr > *')];
    const before = headings.map(({ style }) => style.width);
    function release() {
      table.style.tableLayout = '';
      headings.forEach(({ style }, index) => {
        style.width = before[index]!;
      });
    }
    function fix() {
      release();
      const widths = headings.map((heading) => heading.getBoundingClientRect().width);
      headings.forEach(({ style }, index) => {
        style.width = `${widths[index]}px`;
      });
      table.style.tableLayout = 'fixed';
    }
    let width = 0;
    const observer = new ResizeObserver(([entry]) => {
      const now = entry!.contentRect.width;
      if (now === width) return;
      width = now;
      fix();
    });
    observer.observe(table.parentElement!);
    return () => {
      observer.disconnect();
      release();
    };
  }, [inside]);
}
