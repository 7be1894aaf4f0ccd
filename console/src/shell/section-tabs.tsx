import { useTexts } from '../i18n/use-texts.tsx';
import { EntryLink } from './entry-links.tsx';
import type { VisibleEntry, VisibleSection } from './visible-pages.ts';

/** Pages of a section as tabs of each other. `entry`: the shown one. */
export function SectionTabs({
  section: { section, entries },
  entry: shown,
}: {
  readonly section: VisibleSection;
  readonly entry: VisibleEntry;
}) {
  const { shell } = useTexts();
  return (
    <nav aria-label={shell.sections[section]} className="section-tabs">
      {entries.map((entry) => (
        <EntryLink key={entry.path} entry={entry} current={entry === shown} />
      ))}
    </nav>
  );
}
