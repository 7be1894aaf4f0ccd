import type { Session } from '../api/session.ts';
import type { ModeName } from './sections.ts';
import { type VisibleEntry, type VisibleSection, visibleSections } from './visible-pages.ts';

/** Where a page is in the navigation, among what the person may open. */
export interface Place {
  /** Modes between which the person can switch, with their sections. */
  readonly modes: readonly { readonly mode: ModeName; readonly sections: readonly VisibleSection[] }[];
  /** Mode whose navigation is shown. */
  readonly mode: ModeName;
  /** Section of the page. */
  readonly section: VisibleSection | undefined;
  /** Entry of the page, or of the page above it. */
  readonly entry: VisibleEntry | undefined;
}

const MODES: readonly ModeName[] = ['console', 'developers', 'operator'];

const leadsTo = ({ path, exact }: VisibleEntry, location: string) =>
  location === path || (!exact && location.startsWith(`${path}/`));

/**
 * Finds a page in the navigation. An operator who has not chosen an account has only the mode of operators: their own settings
 * and the API reference, which they may open too, are no modes.
 *
 * @param location path of the page
 */
export function placeOf(session: Session, location: string): Place {
  const visible = visibleSections(session);
  const modes = MODES.map((mode) => ({
    mode,
    sections: visible.filter((section) => section.mode === mode),
  })).filter(
    ({ mode, sections }) => sections.length > 0 && (mode === 'operator' || session.account !== null),
  );
  const entry = visible.flatMap(({ entries }) => entries).find((one) => leadsTo(one, location));
  const section = visible.find((one) => one.section === entry?.section);
  const mode = modes.find((one) => one.mode === section?.mode) ?? modes[0];
  return {
    modes,
    mode: mode?.mode ?? 'console',
    section,
    entry,
  };
}
