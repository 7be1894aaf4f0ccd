import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';

/* The documentation at /docs/guide as people read it. */

const { service, visit } = await startBrowserTest();
const guide = `${service.url}/docs/guide`;

/** Opens a page; the test fails if the browser asks somebody else, or the policy of the page forbids it something. */
async function open(address: string, width = 1280): Promise<{ page: Page; check: () => void }> {
  const page = await visit({ viewport: { width, height: 800 } });
  const wrong: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== service.url) wrong.push(request.url());
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(address);
  return { page, check: () => assert.deepEqual(wrong, []) };
}

test('the search finds a section, by keyboard and by mouse, and leads to it', async () => {
  const { page, check } = await open(guide);
  await page.keyboard.press('/');
  await page.keyboard.type('webhook');
  const result = page.locator('#results a').filter({ hasText: 'Events: pushes and webhooks' }).first();
  await result.waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'guide-search');
  await result.click();
  await page.getByRole('heading', { level: 1, name: 'Events: pushes and webhooks' }).waitFor();
  assert.match(page.url(), /\/docs\/guide\/reference\/events/);

  const search = page.getByRole('searchbox');
  await search.fill('webhok signature');
  await page.locator('#results a').first().waitFor();
  await search.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await search.evaluate('document.activeElement.id'), 'search');
  await search.fill('zzzzzz');
  await page.getByText('Nothing found for “zzzzzz”').waitFor();
  await search.press('Escape');
  await page.getByRole('navigation').waitFor();
  check();
});

for (const path of [
  '',
  '/first-message-php',
  '/run-a-campaign',
  '/reference/chat-platform',
  '/reference/events',
]) {
  test(`a page is accessible in both themes, and fits a phone: ${path || 'the first'}`, async () => {
    const { page, check } = await open(guide + path);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
      await keepScreenshot(page, `guide${path.replaceAll('/', '-')}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `guide${path.replaceAll('/', '-')}-phone`);
    await page.setViewportSize({ width: 860, height: 844 });
    await assertFits(page);
    check();
  });
}

test('on a phone the pages are behind a button', async () => {
  const { page, check } = await open(guide, 390);
  const navigation = page.getByRole('navigation');
  assert.equal(await navigation.isVisible(), false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await navigation.getByRole('link', { name: 'Back up and restore' }).click();
  await page.getByRole('heading', { level: 1, name: 'Back up and restore' }).waitFor();
  assert.equal(await navigation.isVisible(), false);
  check();
});

test('code is copied with a button', async () => {
  const { page, check } = await open(`${guide}/first-message-php`);
  const code = page.locator('figure.code').first();
  await code.hover();
  await code.getByRole('button', { name: 'Copy' }).click();
  await code.getByRole('button', { name: /Copied|Selected/ }).waitFor();
  check();
});
