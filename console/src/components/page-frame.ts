import { createContext, type ReactNode, useContext } from 'react';

interface Frame {
  /** Title of the shown page; undefined when the page sets its own. */
  readonly title: string | undefined;
  /** Title of the page with a path. */
  readonly titleOf: (path: string) => string | undefined;
  /** Links to the other pages of the section, below the heading. */
  readonly tabs?: ReactNode;
}

/** Titles as the features have registered them, in the chosen language, and the tabs of the shown page. */
export const PageFrame = createContext<Frame>({ title: undefined, titleOf: () => undefined });

/** The registered title of the shown page. */
export function usePageTitle(): string {
  return useContext(PageFrame).title ?? '';
}
