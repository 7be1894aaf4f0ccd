import { type RefObject, useEffect, useRef } from 'react';

/**
 * Calls back when an element is near the window, or comes near it.
 *
 * @param distance from the window, in pixels
 * @param isWaiting whether it is watched; each time that this becomes true it calls back again
 */
export function useNear(
  element: RefObject<HTMLElement | null>,
  distance: number,
  isWaiting: boolean,
  onNear: (() => void) | undefined,
): void {
  const act = useRef(onNear);
  useEffect(() => {
    act.current = onNear;
  });
  useEffect(() => {
    if (!isWaiting) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && act.current?.(),
      { rootMargin: `${distance}px` },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element, distance, isWaiting]);
}
