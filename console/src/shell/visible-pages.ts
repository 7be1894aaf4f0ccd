import { atLeast } from '../../../server/api/access/roles.ts';
import type { Session } from '../api/session.ts';
import { DOCS, type NavigationGroup, navigation, type PageEntry, pages } from '../pages.ts';

/** Whether the person's role, the account they act for, and this installation permit a page. */
export function mayOpen({ role, account, sandbox }: Session, page: PageEntry): boolean {
  const known = account !== null || page.withoutAccount === true;
  const may = page.role === 'everybody' || atLeast(role, page.role);
  return may && known && (sandbox !== null || !page.sandbox);
}

export function visiblePages(session: Session): PageEntry[] {
  return pages.filter((page) => mayOpen(session, page));
}

/** Groups of the navigation with the pages that the person may open; empty groups are left out. */
export function visibleGroups(session: Session) {
  const seen = new Set(visiblePages(session).map(({ path }) => path));
  if (atLeast(session.role, 'viewer')) seen.add(DOCS);
  return Object.entries(navigation)
    .map(([group, { icon, pages: entries }]) => ({
      group: group as NavigationGroup,
      icon,
      pages: entries.filter(([path]) => seen.has(path)),
    }))
    .filter((group) => group.pages.length > 0);
}
