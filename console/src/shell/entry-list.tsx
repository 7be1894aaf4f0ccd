import { type ComponentType, lazy, Suspense, useRef, useState } from 'react';
import { loadMoreTexts } from '../i18n/load-texts.ts';
import { EntryGroups } from './entry-links.tsx';
import type { FindEntryProps } from './find-entry.tsx';
import { useCurrentInView } from './use-current-in-view.ts';
import type { VisibleEntry, VisibleSection } from './visible-pages.ts';

/** Shorter lists need no filter. */
const MIN_FILTERED = 8;

/** The filter loads after the list, with the words of the search. The list works without it if that fails. */
const FindEntry = lazy<ComponentType<FindEntryProps>>(() =>
  Promise.all([import('./find-entry.tsx'), loadMoreTexts()]).then(
    ([field]) => field,
    () => ({ default: () => null }),
  ),
);

/** The pages of a section below the headings of their groups; above a long list a field that filters it. */
export function EntryList({
  section,
  entry,
  className,
}: {
  readonly section: VisibleSection;
  readonly entry: VisibleEntry | undefined;
  /** Class of the list, which scrolls below the field. */
  readonly className: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<readonly string[]>();
  const { entries } = section;
  useCurrentInView(list);
  return (
    <>
      {entries.length >= MIN_FILTERED && (
        <div className="find-entry">
          <Suspense>
            <FindEntry section={section} onFound={setFound} />
          </Suspense>
        </div>
      )}
      <div ref={list} className={className}>
        <EntryGroups entries={entries.filter(({ path }) => found?.includes(path) ?? true)} current={entry} />
      </div>
    </>
  );
}
