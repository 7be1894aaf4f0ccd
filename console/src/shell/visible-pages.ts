import { atLeast, type Session } from '../api/session.ts';
import { type PageEntry, pages } from '../pages.ts';

/** Whether somebody's role, the account that is acted for, and this installation have a page. */
export function mayOpen({ role, account, sandbox }: Session, page: PageEntry): boolean {
  const known = account !== null || page.withoutAccount === true;
  return atLeast(role, page.role) && known && (sandbox !== null || !page.sandbox);
}

export function visiblePages(session: Session): PageEntry[] {
  return pages.filter((page) => mayOpen(session, page));
}
