import { NavLink, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session-context.ts';
import { Count } from '../components/values.tsx';
import { useOpenAlerts } from '../features/alerts/use-open-alerts.ts';
import { useUnread } from '../features/conversations/watch.tsx';
import { useTexts } from '../i18n/use-texts.tsx';
import { DOCS, type NavigationGroup, navigation } from '../pages.ts';
import { visibleGroups } from './visible-pages.ts';

/** Groups that the person opened or closed in this browser. */
type Choices = Readonly<Partial<Record<NavigationGroup, boolean>>>;

/** Pages that are not the parent of other pages, although their addresses are prefixes. */
const homes: ReadonlySet<string> = new Set(['/', '/operator']);

/** Page whose entry shows the number of unread conversations. */
const INBOX = '/conversations';

const isCurrent = (path: string, location: string) =>
  location === path || (!homes.has(path) && location.startsWith(`${path}/`));

/** Pages that the person may open, in collapsible groups. The entry of the current page is always visible. */
export function Navigation() {
  const texts = useTexts();
  const session = useSession();
  const [location] = useLocation();
  const unread = useUnread();
  const alerts = useOpenAlerts();
  const counts: Readonly<Record<string, number>> = { ...alerts, [INBOX]: unread };
  const [choices, setChoices] = useLocalStorage<Choices>({
    key: 'carillon-navigation',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const groups = visibleGroups(session);
  const current = groups.find(({ pages }) => pages.some(([path]) => isCurrent(path, location)))?.group;
  const isOpen = (group: NavigationGroup) => choices[group] ?? navigation[group].opened ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a group is opened when one of its pages is, and may be closed after
  useEffect(() => {
    if (current !== undefined && !isOpen(current)) setChoices({ ...choices, [current]: true });
  }, [current, location]);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry of the page is scrolled to when the page changes
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [location, choices]);
  return (
    <div ref={list}>
      {groups.map(({ group, icon: Icon, pages }) => {
        const opened = isOpen(group);
        return (
          <div key={group} className="navigation-group" data-apart={group === 'operator' || undefined}>
            <UnstyledButton
              className="navigation-heading"
              aria-expanded={opened}
              aria-controls={`navigation-${group}`}
              data-current={group === current || undefined}
              onClick={() => setChoices({ ...choices, [group]: !opened })}
            >
              <Icon size={18} aria-hidden />
              <span>
                {texts.shell.groups[group]}
                <VisuallyHidden>{texts.shell.groupOfPages}</VisuallyHidden>
              </span>
              <ChevronDown size={15} aria-hidden className="navigation-chevron" />
            </UnstyledButton>
            <ul id={`navigation-${group}`} hidden={!opened}>
              {pages.map(([path, label]) => (
                <li key={path}>
                  {path === DOCS ? (
                    <NavLink component="a" href={path} label={label(texts)} />
                  ) : (
                    <NavLink
                      component={Link}
                      href={path}
                      label={label(texts)}
                      active={isCurrent(path, location)}
                      aria-current={isCurrent(path, location) ? 'page' : undefined}
                      rightSection={(counts[path] ?? 0) > 0 && <Counted path={path} count={counts[path]!} />}
                    />
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

/** Unread conversations, or open alerts. */
function Counted({ path, count }: { readonly path: string; readonly count: number }) {
  const { conversations, shell } = useTexts();
  return (
    <span className="navigation-count">
      <span aria-hidden>
        <Count value={count} />
      </span>
      <VisuallyHidden>
        {path === INBOX ? conversations.unreadTotal(count) : shell.openAlerts(count)}
      </VisuallyHidden>
    </span>
  );
}
