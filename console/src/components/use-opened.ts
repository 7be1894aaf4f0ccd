import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { EDITABLE } from './editable.ts';

/** Parameter of the address: the key of the open row. */
const PARAMETER = 'open';
/** Elements that use these keys themselves: dialogs and menus. */
const OTHER_KEYS = '[role=dialog]:not(.side-panel), [role=menu], [role=listbox]';

/** The row of a list that is open in the side panel (side-panel.tsx). */
export interface Opened<Row> {
  /** Key of the open row; undefined when none is open. */
  readonly key: string | undefined;
  /** The row as it was last in the list. It stays open when it leaves the list. Undefined if it never was in the list. */
  readonly row: Row | undefined;
  open(row: Row): void;
  close(): void;
  /** Opens the row before or after; undefined at the ends of the page. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/**
 * Keeps the open row of a list in the address of the page, so that a link shows it too. J and K open the next and the previous
 * row, Escape closes, by physical key as in the inbox.
 *
 * @param rows undefined while they load
 */
export function useOpened<Row>(rows: readonly Row[] | undefined, keyOf: (row: Row) => string): Opened<Row> {
  const [params, setParams] = useSearchParams();
  const key = params.get(PARAMETER) ?? undefined;
  const [seen, setSeen] = useState<Row>();
  const at = key === undefined || !rows ? -1 : rows.findIndex((row) => keyOf(row) === key);
  const current = rows?.[at];
  if (current !== undefined && current !== seen) setSeen(current);
  const isSeen = key !== undefined && seen !== undefined && keyOf(seen) === key;

  function show(next: string | undefined) {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === undefined) after.delete(PARAMETER);
        else after.set(PARAMETER, next);
        return after;
      },
      // The way back leads to the list, not through every row.
      { replace: key !== undefined },
    );
  }
  const step = (by: 1 | -1) => {
    const row = at < 0 ? undefined : rows?.[at + by];
    return row === undefined ? undefined : () => show(keyOf(row));
  };
  const opened: Opened<Row> = {
    key,
    row: current ?? (isSeen ? seen : undefined),
    open: (row) => show(keyOf(row)),
    close: () => show(undefined),
    previous: step(-1),
    next: step(1),
  };

  useEffect(() => {
    if (key === undefined) return;
    function onKey(event: KeyboardEvent) {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (target.matches(EDITABLE) || target.closest(OTHER_KEYS)) return;
      const act =
        event.key === 'Escape'
          ? opened.close
          : event.code === 'KeyJ'
            ? opened.next
            : event.code === 'KeyK'
              ? opened.previous
              : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  useEffect(() => {
    if (key !== undefined) document.querySelector('tr[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [key]);
  return opened;
}
