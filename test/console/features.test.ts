import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as en from '../../console/src/i18n/en.ts';
import * as he from '../../console/src/i18n/he.ts';
import * as moreEn from '../../console/src/i18n/more.en.ts';
import * as moreHe from '../../console/src/i18n/more.he.ts';
import { roles } from '../../server/api/access/roles.ts';
import { features, placeOf, visible } from '../support/console-features.ts';

/** What the features of the console register: pages, entries of the navigation and the search, and earlier addresses. */
const { pages, actions, movedPages } = features;
const SOURCE = join(import.meta.dirname, '../../console/src');
const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .filter((path) => !path.endsWith('feature.ts'))
  .map((path) => readFileSync(join(SOURCE, path), 'utf8'));
const routes = [...pages.map(({ path }) => path), ...movedPages.map(([before]) => before)];
const titles = [...pages, ...actions, ...pages.flatMap(({ parts = [] }) => parts)].flatMap(
  ({ title, synonyms }) => [title ?? [], synonyms ?? []].flat(),
);

const matches = (route: string, path: string) =>
  new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path);
const pathOf = (href: string) => href.split(/[?#]/)[0]!;
const session = (role: string, account: object | null = {}, sandbox: object | null = {}) => ({
  role,
  account,
  sandbox,
  has_password: true,
});

test('every address of the console leads to the page that is registered for it', () => {
  assert.ok(pages.length > 70);
  for (const route of routes) {
    const path = route.replace(/:\w+/g, 'x');
    assert.equal(
      routes.find((one) => matches(one, path)),
      route,
    );
  }
  for (const href of [...actions.map((action) => action.href), ...movedPages.map(([, now]) => now)]) {
    assert.ok(
      pages.some(({ path }) => matches(path, pathOf(href))),
      href,
    );
  }
});

test('every page is in the navigation, or another page links to it', () => {
  const unreachable = pages.filter(({ path, navigation }) => {
    if (navigation) return false;
    // An id is an expression in the link; the alerts of accounts and of operators share their links.
    const link = path
      .replace(/:\w+/g, '\\$\\{[^}]+\\}')
      .replace(/^(?:\/operator)?\/alerts/, '(?:$&|\\$\\{scope\\.home\\})');
    const pattern = new RegExp(`["'\`]${link}["'\`?]`);
    return !sources.some((source) => pattern.test(source));
  });
  assert.deepEqual(
    unreachable.map(({ path }) => path),
    [],
  );
});

test('each entry of the navigation has a separate place', () => {
  const places = pages.flatMap(({ navigation }) =>
    navigation ? [`${navigation.section} ${navigation.order}`] : [],
  );
  assert.equal(new Set(places).size, places.length);
});

test('titles, sections and roles of all registrations have texts in both languages', () => {
  for (const texts of [
    { ...en, ...moreEn },
    { ...he, ...moreHe },
  ]) {
    for (const title of titles) assert.match(title(texts), /\S/);
    for (const { navigation } of pages) {
      if (!navigation) continue;
      const { section, group } = navigation;
      assert.match(texts.shell.sections[section as keyof typeof en.shell.sections], /\S/);
      if (group) assert.match(texts.shell.groups[group as keyof typeof en.shell.groups], /\S/);
      if (navigation.label) assert.match(navigation.label(texts), /\S/);
    }
    for (const role of roles) assert.match(texts.shell.roles[role], /\S/);
  }
  const known: readonly string[] = [...roles, 'everyone'];
  for (const { role } of [...pages, ...actions]) assert.ok(known.includes(role), role);
});

test('each part of a page that the search offers has an element', () => {
  for (const { id } of pages.flatMap(({ parts = [] }) => parts)) {
    assert.ok(
      sources.some((source) => source.includes(`<Card id="${id}"`) || source.includes(`id="${id}"`)),
      id,
    );
  }
});

test('people start on the first page that their role may open', () => {
  const starts = [
    session('agent'),
    session('viewer'),
    session('owner'),
    session('operator'),
    session('operator', null),
  ].map((one) => visible.visiblePages(one)[0]!.path);
  assert.deepEqual(starts, ['/conversations', '/', '/', '/', '/operator']);
});

test('the navigation shows the pages that the role, the account and the sandbox permit', () => {
  const shown = (one: object) => visible.visibleSections(one).map(({ section }) => section);
  assert.deepEqual(shown(session('agent')), ['inbox', 'settings']);
  assert.deepEqual(shown(session('operator', null)), ['settings', 'developers', 'operator']);
  const home = (one: object) => visible.visibleSections(one)[0]!.entries.map(({ path }) => path);
  assert.deepEqual(home(session('owner')), ['/', '/start', '/sandbox', '/handsets']);
  assert.deepEqual(home(session('owner', {}, null)), ['/']);
});

test('pages of the settings that belong together are next to each other', () => {
  for (const { entries } of visible.visibleSections(session('operator'))) {
    const groups = entries.map(({ group }) => group);
    const places = groups.filter((group, index) => group !== groups[index - 1]);
    assert.equal(new Set(places).size, places.length, `${places}`);
  }
});

test('the navigation finds the mode, the section and the entry of a page', () => {
  const placed = (location: string, one = session('operator')) => {
    const { mode, section, entry } = placeOf(one, location);
    return [mode, section?.section, entry?.path];
  };
  assert.deepEqual(placed('/'), ['console', 'home', '/']);
  assert.deepEqual(placed('/messages/17'), ['console', 'messages', '/messages']);
  assert.deepEqual(placed('/mail-templates/new'), ['console', 'send', '/mail-templates']);
  assert.deepEqual(placed('/webhooks/17'), ['developers', 'developers', '/webhooks']);
  assert.deepEqual(placed('/operator/alerts'), ['operator', 'operator', '/operator/alerts']);
  assert.deepEqual(placed('/imports/17'), ['console', undefined, undefined]);
  assert.deepEqual(placed('/operator', session('operator', null)), ['operator', 'operator', '/operator']);
  assert.deepEqual(placed('/settings', session('operator', null)), ['operator', 'settings', '/settings']);
});

test('people switch between the modes that have pages for them', () => {
  const modes = (one: object) => placeOf(one, '/settings').modes.map(({ mode }) => mode);
  assert.deepEqual(modes(session('operator')), ['console', 'developers', 'operator']);
  assert.deepEqual(modes(session('owner')), ['console', 'developers']);
  assert.deepEqual(modes(session('agent')), ['console']);
  assert.deepEqual(modes(session('operator', null)), ['operator']);
});
