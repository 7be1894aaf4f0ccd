import { type RefObject, useEffect } from 'react';
import { EDITABLE } from '../../components/editable.ts';

const ROW = '.list-row';

/** Moves the focus among the rows: to the one that is open first, then by `step`. */
function move(root: HTMLElement, step: number): void {
  const rows = [...root.querySelectorAll<HTMLElement>(ROW)];
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'true');
  const next = current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step));
  rows[next]?.focus();
}

/** Leaves a field for the list: the composer by Escape, the search by the arrow down and, once Escape has emptied it, by Escape. */
function leave(root: HTMLElement, field: HTMLInputElement, event: KeyboardEvent): void {
  const isSearch = field.closest('.list-search') !== null;
  const isLeft = isSearch ? field.value === '' : field.closest('.composer') !== null;
  if (isSearch && event.key === 'ArrowDown') root.querySelector<HTMLElement>(ROW)?.focus();
  else if (event.key === 'Escape' && isLeft) move(root, 0);
  else return;
  event.preventDefault();
}

const keys: Readonly<Record<string, (root: HTMLElement) => void>> = {
  KeyJ: (root) => move(root, 1),
  KeyK: (root) => move(root, -1),
  KeyR: (root) => root.querySelector<HTMLElement>('.composer textarea')?.focus(),
  Slash: (root) => root.querySelector<HTMLElement>('.list-search input')?.focus(),
};
const arrows: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Keyboard shortcuts of the inbox, by physical key, so that they are the same with a Hebrew layout: J, K and the arrows move
 * between rows, R replies, `/` searches, Escape returns from an input to the list. Letters have no effect in inputs or
 * outside the inbox.
 */
export function useInboxKeys(inbox: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const root = inbox.current;
      const target = event.target as HTMLElement;
      if (!root || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target !== document.body && !root.contains(target)) return;
      if (target.matches(EDITABLE)) {
        leave(root, target as HTMLInputElement, event);
        return;
      }
      const step = arrows[event.key];
      const key = keys[event.code];
      if (step !== undefined && target.closest('.inbox-list')) move(root, step);
      else if (key && !event.shiftKey) key(root);
      else return;
      event.preventDefault();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [inbox]);
}
