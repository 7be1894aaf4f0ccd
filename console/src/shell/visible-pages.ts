import { atLeast } from '../../../server/api/access/roles.ts';
import type { Session } from '../api/session.ts';
import type { Access, PageEntry, SectionName } from '../define-feature.ts';
import { pages } from '../feature-list.ts';
import { sections } from './sections.ts';

/** Whether the person's role, the account they act for, and this installation permit a page or an action. */
export function mayOpen({ role, account, sandbox }: Session, access: Access): boolean {
  const known = account !== null || access.withoutAccount === true;
  const may = access.role === 'everyone' || atLeast(role, access.role);
  return may && known && (sandbox !== null || !access.sandbox);
}

/** The pages of the console that the person may open; the first is their start page. */
export const visiblePages = (session: Session): PageEntry[] => pages.filter((page) => mayOpen(session, page));

/** A page that is in the navigation. */
type Listed = PageEntry & Required<Pick<PageEntry, 'title' | 'navigation'>>;

export type VisibleSection = ReturnType<typeof visibleSections>[number];
export type VisibleEntry = VisibleSection['entries'][number];

/** Sections of the navigation with the pages that the person may open, in order; empty sections are left out. */
export function visibleSections(session: Session) {
  const listed = visiblePages(session).filter((page): page is Listed => page.navigation !== undefined);
  return (Object.keys(sections) as SectionName[])
    .map((section) => ({
      section,
      ...sections[section],
      entries: listed
        .filter(({ navigation }) => navigation.section === section)
        .sort((a, b) => a.navigation.order - b.navigation.order)
        .map(({ navigation, ...page }) => ({
          ...page,
          ...navigation,
          label: navigation.label ?? page.title,
        })),
    }))
    .filter(({ entries }) => entries.length > 0);
}
