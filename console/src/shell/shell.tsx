import { Box, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation, useParams, useSearchParams } from 'wouter';
import { useMay, useSession } from '../api/session-context.ts';
import { DialogsProvider } from '../components/dialogs.tsx';
import { PageFrame } from '../components/page-frame.ts';
import { Scripted } from '../components/scripted.tsx';
import { Loading } from '../components/states.tsx';
import type { PageEntry } from '../define-feature.ts';
import { movedPages, pages } from '../feature-list.ts';
import { ConversationWatch } from '../features/conversations/watch.tsx';
import { useOwnPreferences } from '../features/preferences/use-preferences.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { Balance } from './balance.tsx';
import { Boundary } from './boundary.tsx';
import { AccountControls, Header } from './header.tsx';
import { Modes } from './modes.tsx';
import { Navigation } from './navigation.tsx';
import { NotAllowed, NotFound } from './not-found.tsx';
import { placeOf } from './place.ts';
import { SectionList } from './section-list.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { TabBar } from './tab-bar.tsx';
import { usePreload } from './use-preload.ts';
import { mayOpen, visiblePages } from './visible-pages.ts';
import { WorkingAs } from './working-as.tsx';
import { ZoneNote } from './zone-note.tsx';
import './navigation.css';

/** Frame of every page: header, navigation by role, and the page of the address with its section. */
export function Shell() {
  const { shell } = useTexts();
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(close, [location]);
  const [home] = visiblePages(session);
  const mayRead = useMay('viewer');
  const place = placeOf(session, location);
  const { section, entry } = place;
  const severalIn = section !== undefined && section.entries.length > 1;
  const listed = severalIn && section.layout === 'list';
  // Pages below an entry, such as one message, have a link back in place of the tabs.
  const tabs = severalIn && section.layout === 'tabs' && entry?.path === location && (
    <SectionTabs section={section} entry={entry} />
  );
  useOwnPreferences();
  usePreload();
  return (
    <>
      <a href="#content" className="skip-link">
        {shell.skip}
      </a>
      <ConversationWatch />
      <Header place={place} opened={opened} onToggle={toggle} />
      <div className="navbar" data-mode={place.mode} data-opened={opened || undefined}>
        <Box hiddenFrom="sm" className="navigation-controls">
          <Modes place={place} />
          <Group gap="xs">
            <AccountControls />
          </Group>
        </Box>
        <nav aria-label={shell.navigation}>
          <Navigation place={place} />
        </nav>
        {mayRead && session.account && <Balance />}
      </div>
      <main id="content" tabIndex={-1}>
        <WorkingAs />
        <div className="content" data-layout={listed ? 'list' : undefined}>
          {listed && <SectionList section={section} entry={entry} />}
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
                      {mayOpen(session, page) ? <Opened page={page} tabs={tabs} /> : <NotAllowed />}
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
      {session.account && <TabBar place={place} opened={opened} onToggle={toggle} />}
    </>
  );
}

/** A page with the titles that the features have registered, and the tabs of its section. */
function Opened({ page: { script, title }, tabs }: { readonly page: PageEntry; readonly tabs: ReactNode }) {
  const texts = useTexts();
  const frame = {
    title: title?.(texts),
    titleOf: (path: string) => pages.find((page) => page.path === path)?.title?.(texts),
    tabs,
  };
  return (
    <PageFrame value={frame}>
      {script && <Scripted script={script} props={{}} fallback={<Loading />} />}
    </PageFrame>
  );
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
  if (target && !target.script) return <Left to={filled} />;
  return <Redirect to={asked.size === 0 ? filled : `${filled}?${asked}`} replace />;
}
