import {
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, LogOut, Undo2, Wallet, Wrench } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useParams, useSearchParams } from 'wouter';
import { api } from '../api/client.ts';
import { endSession } from '../api/session.ts';
import { useSession } from '../api/session-context.ts';
import { useActFor } from '../api/use-act-for.ts';
import { Brand } from '../components/brand.tsx';
import { DialogsProvider } from '../components/dialogs.tsx';
import { Loading } from '../components/states.tsx';
import { Muted } from '../components/text.tsx';
import { Amount } from '../components/values.tsx';
import { LanguageMenu, ThemeMenu } from '../features/preferences/menus.tsx';
import { useOwnPreferences } from '../features/preferences/use-preferences.ts';
import { useTexts } from '../i18n/texts.tsx';
import { movedPages, navigation, pages } from '../pages.ts';
import { AccountChooser } from './account-chooser.tsx';
import { Boundary } from './boundary.tsx';
import { NotAllowed, NotFound } from './not-found.tsx';
import { Unreachable } from './unreachable.tsx';
import { mayOpen, visiblePages } from './visible-pages.ts';
import { ZoneNote } from './zone-note.tsx';

/** What is around every page: header, navigation by role, the page of the address. */
export function Shell() {
  const texts = useTexts();
  const { shell } = texts;
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(close, [location]);
  const [home] = visiblePages(session);
  useOwnPreferences();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#content" className="skip-link">
        {shell.skip}
      </a>
      <AppShell.Header className="header">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={shell.openNavigation}
              aria-expanded={opened}
            />
            <Brand />
            {session.sandbox && (
              <Tooltip label={shell.sandboxHint}>
                <Badge variant="light" color="orange" tt="none" visibleFrom="sm">
                  {shell.sandbox}
                </Badge>
              </Tooltip>
            )}
          </Group>
          <Group gap={4} wrap="nowrap">
            {session.role === 'operator' && <AccountChooser />}
            {session.acting && session.role !== 'operator' && session.account && (
              <Badge variant="light" tt="none" visibleFrom="xs">
                <bdi>{session.account.name}</bdi>
              </Badge>
            )}
            {session.account && <Balance />}
            <Group gap={4} wrap="nowrap" visibleFrom="xs">
              <LanguageMenu />
              <ThemeMenu />
            </Group>
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={shell.navigation} className="navbar">
        <AppShell.Section grow component={ScrollArea} p="xs">
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="content">
          <Unreachable />
          <Boundary key={location}>
            <DialogsProvider>
              <Suspense fallback={<Loading />}>
                <Switch>
                  {home && home.path !== '/' && (
                    <Route path="/">
                      <Redirect to={home.path} replace />
                    </Route>
                  )}
                  {pages.map((page) => (
                    <Route key={page.path} path={page.path}>
                      {mayOpen(session, page) ? <page.component /> : <NotAllowed />}
                    </Route>
                  ))}
                  {Object.entries(movedPages).map(([before, now]) => (
                    <Route key={before} path={before}>
                      <Moved to={now} />
                    </Route>
                  ))}
                  <Route>
                    <NotFound />
                  </Route>
                </Switch>
              </Suspense>
            </DialogsProvider>
          </Boundary>
          <ZoneNote />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Leads from an address of before to that of now, with what both have in their queries. */
function Moved({ to }: { readonly to: string }) {
  const params = useParams();
  const [asked] = useSearchParams();
  const [path, query] = to.split('?');
  for (const [name, value] of new URLSearchParams(query)) asked.set(name, value);
  const filled = path!.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return <Redirect to={asked.size === 0 ? filled : `${filled}?${asked}`} replace />;
}

function Navigation() {
  const texts = useTexts();
  const session = useSession();
  const [location] = useLocation();
  const seen = new Set(visiblePages(session).map(({ path }) => path));
  const groups = Object.entries(navigation)
    .map(([group, entries]) => ({ group, entries: entries.filter(([path]) => seen.has(path)) }))
    .filter(({ entries }) => entries.length > 0);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry of the page is scrolled to when the page changes
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [location]);
  const isCurrent = (path: string) => location === path || location.startsWith(`${path}/`);
  return (
    <div ref={list}>
      {groups.map(({ group, entries }) => (
        <div key={group} className="navigation-group">
          <Muted size="xs" fw={600} px="sm" pb={4} id={`navigation-${group}`}>
            {texts.shell.groups[group as keyof typeof navigation]}
          </Muted>
          <ul aria-labelledby={`navigation-${group}`}>
            {entries.map(([path, Icon, label]) => (
              <li key={path}>
                <NavLink
                  component={Link}
                  href={path}
                  label={label(texts)}
                  leftSection={<Icon size={18} aria-hidden />}
                  active={isCurrent(path)}
                  aria-current={isCurrent(path) ? 'page' : undefined}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** The credits of the account, which others spend meanwhile. */
function Balance() {
  const { shell } = useTexts();
  const { data } = api.useQuery('get', '/v1/wallet', {}, { refetchInterval: 30_000 });
  if (!data) return null;
  return (
    <Tooltip label={shell.balance}>
      <Group gap={6} wrap="nowrap" px="xs">
        <Wallet size={16} aria-label={shell.balance} role="img" />
        <Text size="sm" fw={600} component="span">
          <Amount value={data.balance} />
        </Text>
      </Group>
    </Tooltip>
  );
}

function PersonMenu() {
  const { shell } = useTexts();
  const { person, account, role, acting } = useSession();
  const actFor = useActFor();
  const queryClient = useQueryClient();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className="person">
          <VisuallyHidden>{shell.menu}</VisuallyHidden>
          <span className="initial" aria-hidden>
            {[...person.name][0] ?? '?'}
          </span>
          <Text size="sm" fw={500} visibleFrom="md" maw={150} truncate>
            {person.name}
          </Text>
          <ChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{person.username}</bdi> · {shell.roles[role]}
          {account && account.name !== person.name && (
            <div>
              <bdi>{account.name}</bdi>
            </div>
          )}
        </Menu.Label>
        {acting && role !== 'operator' && (
          <Menu.Item leftSection={<Undo2 size={16} className="mirrored" />} onClick={() => void actFor(null)}>
            {shell.ownAccount}
          </Menu.Item>
        )}
        <Menu.Item component={Link} href="/settings" leftSection={<Wrench size={16} />}>
          {shell.settings}
        </Menu.Item>
        <Menu.Item
          leftSection={<LogOut size={16} className="mirrored" />}
          onClick={() => void endSession(queryClient)}
        >
          {shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
