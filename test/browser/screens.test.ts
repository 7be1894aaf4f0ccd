import { test } from 'node:test';
import {
  assertFits,
  keepScreenshot,
  type Language,
  startBrowserTest,
  type Theme,
} from '../support/browser.ts';
import { seed } from './seed.ts';

/* The main screens at the widths of a large window, a small one and a phone; the pictures of docs/console-screens.md. */

const { service, signedIn } = await startBrowserTest();
const named = await seed(service);

const screens = {
  home: '/',
  inbox: `/conversations?id=${named.conversations}`,
  send: '/send?to=0521230010',
  messages: '/messages',
  recipients: '/recipients',
  settings: '/account',
};
const looks: readonly { width: number; language: Language; theme: Theme }[] = [
  { width: 1440, language: 'en', theme: 'light' },
  { width: 1440, language: 'he', theme: 'dark' },
  { width: 1024, language: 'en', theme: 'dark' },
  { width: 390, language: 'he', theme: 'light' },
];
const HEIGHT = 900;

for (const { width, language, theme } of looks) {
  test(`the main screens at ${width} pixels, ${language}, ${theme}`, async () => {
    const page = await signedIn({ language, theme, viewport: { width, height: HEIGHT } });
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator('.mantine-Skeleton-root, [aria-busy=true]').first().waitFor({ state: 'detached' });
      await assertFits(page);
      await keepScreenshot(page, `screen-${name}-${width}-${language}-${theme}`);
    }
  });
}
