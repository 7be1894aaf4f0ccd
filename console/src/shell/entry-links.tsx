import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'wouter';
import { Count } from '../components/values.tsx';
import type { Badge } from '../define-feature.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import type { VisibleEntry, VisibleSection } from './visible-pages.ts';

/** Link to a page of the navigation. The browser opens addresses that are not pages of the console. */
export function EntryLink({
  entry: { path, label, badge, script },
  current,
}: {
  readonly entry: VisibleEntry;
  readonly current: boolean;
}) {
  const texts = useTexts();
  const link = {
    href: path,
    className: 'entry-link',
    'aria-current': current ? ('page' as const) : undefined,
    children: (
      <>
        <span>{label(texts)}</span>
        {badge && <Counted badge={badge} />}
      </>
    ),
  };
  return script ? <Link {...link} /> : <a {...link} />;
}

/** Pages below the headings of their groups. */
export function EntryGroups({
  entries,
  current,
}: {
  readonly entries: readonly VisibleEntry[];
  readonly current: VisibleEntry | undefined;
}) {
  const { shell } = useTexts();
  const id = useId();
  return [...Map.groupBy(entries, ({ group }) => group)].map(([group, some]) => (
    <div key={group ?? ''} className="entry-group">
      {group && <span id={`${id}${group}`}>{shell.groups[group]}</span>}
      <ul aria-labelledby={group && `${id}${group}`}>
        {some.map((entry) => (
          <li key={entry.path}>
            <EntryLink entry={entry} current={entry === current} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Link to the first page of a section, with the numbers of all its pages. `current`: whether the shown page is in it. */
export function SectionLink({
  section: { section, icon: Icon, entries },
  current,
}: {
  readonly section: VisibleSection;
  readonly current: boolean;
}) {
  const { shell } = useTexts();
  return (
    <Link href={entries[0]!.path} className="section-link" aria-current={current ? 'true' : undefined}>
      <Icon size={18} aria-hidden />
      <span>{shell.sections[section]}</span>
      {entries.map(({ path, badge }) => badge && <Counted key={path} badge={badge} />)}
    </Link>
  );
}

/** The number of an entry; nothing when it is 0. */
function Counted({ badge: { useCount, text } }: { readonly badge: Badge }) {
  const texts = useTexts();
  const count = useCount();
  if (count === 0) return null;
  return (
    <span className="navigation-count">
      <span aria-hidden>
        <Count value={count} />
      </span>
      <VisuallyHidden>{text(texts, count)}</VisuallyHidden>
    </span>
  );
}
