import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createServer } from 'vite';
import { buildConsole } from '../../console/build.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { atEnd } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { waitFor } from '../support/wait-for.ts';

/* The page of parts, as `npm run console` serves it. */

const CONSOLE = join(import.meta.dirname, '../../console');
const { service, visit } = await startBrowserTest();
// Before Vite serves the sources, which makes every build of this process one for development.
await buildConsole();

const cacheDir = mkdtempSync(join(tmpdir(), 'vite-'));
const vite = await createServer({
  configFile: join(CONSOLE, 'vite.config.ts'),
  cacheDir,
  logLevel: 'error',
  server: {
    host: '127.0.0.1',
    port: await freePort(),
    strictPort: true,
    proxy: { '/v1': service.url },
  },
});
await vite.listen();
atEnd(async () => {
  await vite.close();
  await rm(cacheDir, { recursive: true, force: true });
});
const address = `${vite.resolvedUrls!.local[0]}console/design`;

for (const { language, theme, title, open, close, ask, keep, show, shown } of [
  {
    language: 'en',
    theme: 'light',
    title: 'Parts of the console',
    open: 'Open the side panel',
    close: 'Close (Esc)',
    ask: 'Delete with a question',
    keep: 'Keep list',
    show: 'Show a notification',
    shown: 'List saved.',
  },
  {
    language: 'he',
    theme: 'dark',
    title: 'רכיבי הממשק',
    open: 'פתיחת חלונית הצד',
    close: 'סגירה (Esc)',
    ask: 'מחיקה עם שאלה',
    keep: 'השארת הרשימה',
    show: 'הצגת הודעה',
    shown: 'הרשימה נשמרה.',
  },
] as const) {
  test(`the page of parts shows them in every state, ${theme} and in ${language}`, async () => {
    const page = await visit({ language, theme });
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    assert.equal(await page.locator('html').getAttribute('dir'), language === 'he' ? 'rtl' : 'ltr');
    await waitFor('every part is there', async () => (await page.locator('.bell').count()) === 3);
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `design-${language}-${theme}`);
    await page.getByRole('button', { name: show }).click();
    await page.getByText(shown).waitFor();
    await page.getByRole('button', { name: ask, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: keep }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: keep }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: open }).click();
    const panel = page.locator('.side-panel');
    await panel.waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `design-panel-${language}-${theme}`);
    await panel.getByRole('button', { name: close, exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
  });
}

test('the built console has no page of parts', () => {
  const scripts = globSync('dist/**/*.js', { cwd: CONSOLE });
  assert.ok(scripts.length > 20);
  for (const script of scripts) {
    const text = readFileSync(join(CONSOLE, script), 'utf8');
    assert.ok(!text.includes('/console/design') && !text.includes('Parts of the console'), script);
  }
});
