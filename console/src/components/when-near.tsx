import { type ReactNode, useRef, useState } from 'react';
import { useNear } from './use-near.ts';

/** Distance from the window, in pixels, at which the content is rendered. */
const NEAR_PX = 400;

/** Renders its content when one scrolls near it: the top of a long page does not fetch the script and the data of its end. */
export function WhenNear({ children }: { readonly children: () => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useNear(place, NEAR_PX, !isNear, () => setNear(true));
  return isNear ? children() : <div ref={place} />;
}
