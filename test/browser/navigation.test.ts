import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

// One test breaks connections.
const { signedIn } = await startBrowserTest({}, /net::ERR_CONNECTION_RESET/);

test('what was searched for in the API reference stays when an operation is opened', async () => {
  const page = await signedIn();
  await page.goto('/reference');
  const search = page.getByRole('searchbox', { name: 'Search operations' });
  await search.fill('blacklist');
  const operations = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
  await page.waitForURL(/\/reference\?q=blacklist$/);
  const found = await operations.count();
  await operations.last().click();
  await page.waitForURL(/\/reference\/\w+\?q=blacklist$/);
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  assert.equal(await search.inputValue(), 'blacklist');
  assert.equal(await operations.count(), found);
});

test('the entry of the page is in sight in the navigation', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 480 } });
  await page.goto('/reference');
  const entry = page.getByRole('navigation', { name: 'Navigation' }).locator('[aria-current=page]');
  await entry.waitFor();
  await waitFor('the entry is in sight', async () => {
    const box = (await entry.boundingBox())!;
    return box.y >= 60 && box.y + box.height <= 480;
  });
});

test('a page that is up to date of its own accord says that the service is gone, until it is back', async () => {
  const page = await signedIn();
  await page.goto('/messages');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const note = page.getByText('The service does not answer. This page may be out of date', { exact: false });
  assert.equal(await note.count(), 0);
  await page.route(/\/v1\//, (route) => route.abort('connectionreset'));
  await note.waitFor();
  await page.unroute(/\/v1\//);
  await note.waitFor({ state: 'detached' });
});
