import { NavLink, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session-context.ts';
import { Count } from '../components/values.tsx';
import type { Badge, SectionName } from '../define-feature.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { sections } from './sections.ts';
import { visibleSections } from './visible-pages.ts';

/** Pixels between an entry that was scrolled to and the edge of the navigation. */
const MARGIN_PX = 16;

/** Sections that the person opened or closed in this browser. */
type Choices = Readonly<Partial<Record<SectionName, boolean>>>;

interface Addressed {
  readonly path: string;
  readonly exact?: true;
}

const isCurrent = ({ path, exact }: Addressed, location: string) =>
  location === path || (!exact && location.startsWith(`${path}/`));

/** Pages that the person may open, in collapsible sections. The entry of the current page is always visible. */
export function Navigation() {
  const texts = useTexts();
  const session = useSession();
  const [location] = useLocation();
  const [choices, setChoices] = useLocalStorage<Choices>({
    key: 'carillon-navigation',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const visible = visibleSections(session);
  const current = visible.find(({ entries }) => entries.some((entry) => isCurrent(entry, location)))?.section;
  const isOpen = (section: SectionName) => choices[section] ?? sections[section].opened ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a section is opened when one of its pages is, and may be closed after
  useEffect(() => {
    if (current !== undefined && !isOpen(current)) setChoices({ ...choices, [current]: true });
  }, [current, location]);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry of the page is scrolled to when the page changes
  useEffect(() => {
    const entry = list.current?.querySelector('[aria-current=page]');
    if (entry) bringIntoView(entry);
  }, [location, choices]);
  return (
    <div ref={list}>
      {visible.map(({ section, icon: Icon, apart, entries }) => {
        const opened = isOpen(section);
        return (
          <div key={section} className="navigation-group" data-apart={apart}>
            <UnstyledButton
              className="navigation-heading"
              aria-expanded={opened}
              aria-controls={`navigation-${section}`}
              data-current={section === current || undefined}
              onClick={() => setChoices({ ...choices, [section]: !opened })}
            >
              <Icon size={18} aria-hidden />
              <span>
                {texts.shell.groups[section]}
                <VisuallyHidden>{texts.shell.groupOfPages}</VisuallyHidden>
              </span>
              <ChevronDown size={15} aria-hidden className="navigation-chevron" />
            </UnstyledButton>
            <ul id={`navigation-${section}`} hidden={!opened}>
              {entries.map((entry) => (
                <li key={entry.path}>
                  {entry.component ? (
                    <NavLink
                      component={Link}
                      href={entry.path}
                      label={entry.label(texts)}
                      active={isCurrent(entry, location)}
                      aria-current={isCurrent(entry, location) ? 'page' : undefined}
                      rightSection={entry.badge && <Counted badge={entry.badge} />}
                    />
                  ) : (
                    <NavLink component="a" href={entry.path} label={entry.label(texts)} />
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

/**
 * Scrolls the navigation to an entry. `scrollIntoView` would also move the place where Tab starts, to the middle of the
 * navigation.
 */
function bringIntoView(entry: Element): void {
  const box = entry.closest('.navigation');
  if (!box) return;
  const { top, bottom } = entry.getBoundingClientRect();
  const seen = box.getBoundingClientRect();
  if (top < seen.top) box.scrollTop -= seen.top - top + MARGIN_PX;
  else if (bottom > seen.bottom) box.scrollTop += bottom - seen.bottom + MARGIN_PX;
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
