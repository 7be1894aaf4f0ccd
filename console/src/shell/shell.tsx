import { Box, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation, useParams, useSearchParams } from 'wouter';
import { useSession } from '../api/session-context.ts';
import { DialogsProvider } from '../components/dialogs.tsx';
import { PageTitles } from '../components/page-titles.ts';
import { Loading } from '../components/states.tsx';
import type { PageEntry } from '../define-feature.ts';
import { movedPages, pages } from '../feature-list.ts';
import { ConversationWatch } from '../features/conversations/watch.tsx';
import { useOwnPreferences } from '../features/preferences/use-preferences.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { Boundary } from './boundary.tsx';
import { AccountControls, Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { NotAllowed, NotFound } from './not-found.tsx';
import { Unreachable } from './unreachable.tsx';
import { mayOpen, visiblePages } from './visible-pages.ts';
import { WorkingAs } from './working-as.tsx';
import { ZoneNote } from './zone-note.tsx';

/** Frame of every page: header, navigation by role, and the page of the address. */
export function Shell() {
  const { shell } = useTexts();
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(close, [location]);
  const [home] = visiblePages(session);
  useOwnPreferences();
  return (
    <>
      <a href="#content" className="skip-link">
        {shell.skip}
      </a>
      <ConversationWatch />
      <Header opened={opened} onToggle={toggle} />
      <nav aria-label={shell.navigation} className="navbar" data-opened={opened || undefined}>
        <Box hiddenFrom="sm" className="navigation-controls">
          <Group gap="xs">
            <AccountControls />
          </Group>
        </Box>
        <div className="navigation">
          <Navigation />
        </div>
      </nav>
      <main id="content" tabIndex={-1}>
        <WorkingAs />
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
                      {mayOpen(session, page) ? <Opened page={page} /> : <NotAllowed />}
                    </Route>
                  ))}
                  {movedPages.map(([before, now]) => (
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
      </main>
    </>
  );
}

/** A page with the titles that the features have registered. */
function Opened({ page: { component: Component, title } }: { readonly page: PageEntry }) {
  const texts = useTexts();
  const titles = {
    shown: title?.(texts),
    of: (path: string) => pages.find((page) => page.path === path)?.title?.(texts),
  };
  return <PageTitles value={titles}>{Component && <Component />}</PageTitles>;
}

/** Leads to a page of the service outside of the console. */
function Left({ to }: { readonly to: string }) {
  useEffect(() => location.replace(to), [to]);
  return null;
}

/** Leads from an address of before to that of now, with what both have in their queries. */
function Moved({ to }: { readonly to: string }) {
  const params = useParams();
  const [asked] = useSearchParams();
  const [path, query] = to.split('?');
  const fill = (text: string) => text.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  for (const [name, value] of new URLSearchParams(query)) asked.set(name, fill(value));
  const filled = fill(path!);
  const target = pages.find(({ path: known }) => known === filled.split('#')[0]);
  if (target && !target.component) return <Left to={filled} />;
  return <Redirect to={asked.size === 0 ? filled : `${filled}?${asked}`} replace />;
}
