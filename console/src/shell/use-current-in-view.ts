import { type RefObject, useEffect } from 'react';
import { useLocation } from 'wouter';

/** Pixels between an entry that was scrolled to and the edge of its list. */
const MARGIN_PX = 16;

/**
 * Scrolls a list of links to the current one when the page changes. `scrollIntoView` would also move the place where Tab
 * starts, to the middle of the list.
 */
export function useCurrentInView(list: RefObject<HTMLElement | null>): void {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry changes with the page
  useEffect(() => {
    const box = list.current;
    const entry = box?.querySelector('[aria-current]');
    if (!box || !entry) return;
    const { top, bottom } = entry.getBoundingClientRect();
    const seen = box.getBoundingClientRect();
    if (top < seen.top) box.scrollTop -= seen.top - top + MARGIN_PX;
    else if (bottom > seen.bottom) box.scrollTop += bottom - seen.bottom + MARGIN_PX;
  }, [location]);
}
