import { createContext, useContext } from 'react';

interface Titles {
  /** Title of the shown page; undefined when the page sets its own. */
  readonly shown: string | undefined;
  /** Title of the page with a path. */
  readonly of: (path: string) => string | undefined;
}

/** Titles of the pages in the chosen language, as their features have registered them. */
export const PageTitles = createContext<Titles>({ shown: undefined, of: () => undefined });

/** The registered title of the shown page. */
export function usePageTitle(): string {
  return useContext(PageTitles).shown ?? '';
}
