import { useRef } from 'react';
import { EntryGroups, SectionLink } from './entry-links.tsx';
import type { Place } from './place.ts';
import { useCurrentInView } from './use-current-in-view.ts';

/** The sections of the shown mode, or the pages of a mode that is one section. */
export function Navigation({ place: { modes, mode, section: current, entry } }: { readonly place: Place }) {
  const list = useRef<HTMLDivElement>(null);
  useCurrentInView(list);
  const shown = modes.find((one) => one.mode === mode)?.sections ?? [];
  return (
    <div ref={list} className="navigation">
      {shown.some(({ layout }) => layout === 'navigation') ? (
        shown.map(({ section, entries }) => <EntryGroups key={section} entries={entries} current={entry} />)
      ) : (
        <ul className="section-links">
          {shown.map((section) => (
            <li key={section.section}>
              <SectionLink section={section} current={section === current} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
