import { useRef } from 'react';
import { SectionLink } from './entry-links.tsx';
import { EntryList } from './entry-list.tsx';
import type { Place } from './place.ts';
import { useCurrentInView } from './use-current-in-view.ts';

/** The sections of the shown mode, or the pages of a mode that is one section. */
export function Navigation({ place: { modes, mode, section: current, entry } }: { readonly place: Place }) {
  const list = useRef<HTMLDivElement>(null);
  useCurrentInView(list);
  const shown = modes.find((one) => one.mode === mode)?.sections ?? [];
  const [first] = shown;
  if (first?.layout === 'navigation') {
    return <EntryList key={mode} section={first} entry={entry} className="navigation" />;
  }
  return (
    <div ref={list} className="navigation">
      <ul className="section-links">
        {shown.map((section) => (
          <li key={section.section}>
            <SectionLink section={section} current={section === current} />
          </li>
        ))}
      </ul>
    </div>
  );
}
