import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  type Language,
  SCREENSHOTS,
  startBrowserTest,
  type Theme,
} from '../support/browser.ts';
import { features } from '../support/console-features.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Named, OPERATOR, seed } from './seed.ts';

/** Every page of the console: its path as its feature registers it, and who may see it. */
const pages = [
  ...features.pages.filter(({ component }) => component !== undefined),
  // What a channel brings to a page, and addresses of before.
  { path: '/send?channel=chat', role: 'sender' },
  { path: '/conversations/:id', role: 'agent' },
  { path: '/mail-campaigns/new', role: 'sender' },
  { path: '/mail-campaigns', role: 'viewer' },
  { path: '/send?channel=code', role: 'sender' },
  { path: '/mail-campaigns/:id', role: 'viewer' },
];

function addressOf(path: string, named: Named): string {
  return path.replace(/(\w[\w-]*)\/:\w+/g, (_, of: string, at: number) => {
    const id = named[path.slice(1, at) + of] ?? named[of];
    assert.ok(id, `name an id for ${path} in test/browser/seed.ts`);
    return `${of}/${id}`;
  });
}

/** How one comes to a page: by its address in the browser, or by a link of the page before. */
type Way = 'address' | 'link';

/** Shows an address in a window. The heading of the page before is marked: what follows is not to take it for the new one. */
async function show(page: Page, address: string, way: Way): Promise<void> {
  if (way === 'address' || page.url() === 'about:blank') {
    await page.goto(address, { waitUntil: 'commit' });
    return;
  }
  await page.evaluate(
    `document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-left', ''));
    history.pushState(null, '', ${JSON.stringify(address)})`,
  );
}

/** Waits until every number of a table is whole on the screen: a table that is too wide scrolls, and hides its last column. */
async function assertNumbersShown(page: Page): Promise<void> {
  const cut = `[...document.querySelectorAll('td bdi.figures')].filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < 0 || right > innerWidth);
  }).map((one) => one.textContent)`;
  await waitFor(
    `${page.url()} has no number that is cut`,
    async () => (await page.evaluate<string[]>(cut)).length === 0,
    10_000,
  );
}

/** What a walk looks at, in a language and a theme. */
interface Walk {
  readonly language: Language;
  readonly theme: Theme;
  readonly way: Way;
  /** Rules of axe, all by default: markup is the same in both languages, colours differ by the theme. None: no axe. */
  readonly rules?: string[];
  /** Whether each page is looked at on the screen of a phone, too. */
  readonly phone: boolean;
}

/**
 * Opens every page: it has a heading and no error, it reads in the direction of the language, axe finds nothing serious on it,
 * and it is no wider than the window. Pictures show both themes.
 */
export async function walkPages({ language, theme, way, rules, phone }: Walk): Promise<void> {
  const { service, signedIn } = await startBrowserTest();
  const named = await seed(service);
  const other: Theme = theme === 'light' ? 'dark' : 'light';
  const direction = language === 'he' ? 'rtl' : 'ltr';
  const asOwner = await signedIn({ language, theme });
  const asOperator = await signedIn({ language, theme }, OPERATOR);
  const seen = new Set<Page>();
  const small = { width: 390, height: 844 };
  const large = asOwner.viewportSize()!;

  for (const { path, role } of pages) {
    test(`${path} in ${language}`, async () => {
      const page = role === 'operator' ? asOperator : asOwner;
      // Once the page before is left: it would be drawn anew in each look, for nobody.
      await show(page, addressOf(path, named), way);
      if (SCREENSHOTS) await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(large);
      const heading = page.getByRole('heading', { level: 1 });
      await heading.and(page.locator(':not([data-left])')).waitFor();
      await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
      assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [], 'an error is shown');
      assert.equal(await page.locator('html').getAttribute('dir'), direction);
      // The navigation is the same on all pages of a window.
      if (rules?.length !== 0)
        await assertAccessible(page, { without: seen.has(page) ? '.navbar' : undefined, rules });
      seen.add(page);
      await assertFits(page);
      const name = `${path.slice(1).replaceAll(/[/?]/g, '-').replaceAll(':', '') || 'overview'}-${language}`;
      await keepScreenshot(page, `${name}-${theme}`);
      if (SCREENSHOTS) await page.emulateMedia({ colorScheme: other });
      await keepScreenshot(page, `${name}-${other}`);
      if (!phone) return;
      await page.setViewportSize(small);
      await assertFits(page);
      await assertNumbersShown(page);
      await keepScreenshot(page, `${name}-phone`);
    });
  }
}
