import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Distance from the window, in pixels, at which the content is made. */
const NEAR_PX = 400;

/** Makes its content when one scrolls near it: the top of a long page does not fetch the script and the data of its end. */
export function WhenNear({ children }: { readonly children: () => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children() : <div ref={place} />;
}
