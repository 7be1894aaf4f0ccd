import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertFits, startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { openTry } from './forms.ts';

const { service, visit, signedIn } = await startBrowserTest();

test('links of the time when all operations had one page lead to the right chapter', async () => {
  const page = await visit();
  for (const [hash, address] of [
    ['sendText', '/docs/api/sending-sms#sendText'],
    ['listTokens', '/docs/api/account#listTokens'],
    ['chapter-mailing-lists', '/docs/api/mailing-lists'],
  ]) {
    await page.goto(`${service.url}/docs#${hash}`);
    await page.waitForURL(service.url + address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto('about:blank');
  }
});

test('addresses of the reference in the console lead to /docs', async () => {
  const page = await signedIn();
  await page.goto('/reference');
  await page.waitForURL(`${service.url}/docs`);
  await page.goto('/reference/sendText');
  await page.waitForURL(`${service.url}/docs/api/sending-sms#sendText`);
});

test('the navigation and the search of the console lead to the reference', async () => {
  const page = await signedIn();
  await page.goto('/requests');
  const link = page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'API reference' });
  await link.click();
  await page.waitForURL(`${service.url}/docs`);
});

test('the search goes over all chapters, and stays when an operation is opened', async () => {
  const page = await visit();
  await page.goto(`${service.url}/docs`);
  const search = page.getByRole('searchbox', { name: 'Search operations and fields' });
  await search.fill('blacklist');
  await page.getByText(/^\d+ found$/).waitFor();
  const results = page.locator('#results').getByRole('link');
  const found = await results.count();
  assert.ok(found > 5);
  await results.last().click();
  await page.waitForURL(/\/docs\/api\/[\w-]+\?q=blacklist#\w+$/);
  await page.getByText(`${found} found`).waitFor();
  assert.equal(await search.inputValue(), 'blacklist');
  assert.equal(await results.count(), found);
  // A field of an answer finds its operation, and what is cleared brings back the chapters.
  await search.fill('recovery_codes confirm');
  await page.locator('#results').getByText('/v1/session/second-factor/confirm').waitFor();
  await search.fill('');
  await page.getByRole('link', { name: 'Sending SMS', exact: true }).waitFor();
});

test('a stranger tries operations with a token, in XML too; a wrong one is refused', async () => {
  const page = await visit();
  const form = await openTry(page, service.url, 'account', 'balance');
  await form.getByText('Sign in to the console, or paste a token.').waitFor();
  await form.getByLabel('Request format').selectOption('XML');
  const body = form.getByLabel('Request body');
  assert.match(await body.inputValue(), /^<\?xml|^</);
  await form.getByLabel('Token').fill('wrong');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('<status>3</status>').waitFor();
  await form.getByLabel('Token').fill(DEMO_TOKEN);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('<status>0</status>').waitFor();
  await assertAccessible(page);
});

test('the index and a chapter are accessible, and fit on a phone', async () => {
  const page = await visit({ viewport: { width: 390, height: 800 } });
  for (const path of ['/docs', '/docs/api/sending-sms']) {
    await page.goto(service.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
  }
});
