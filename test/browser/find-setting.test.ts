import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';

/* The field that filters a long list of pages. One test does not let its script load. */

const { service, signedIn } = await startBrowserTest({}, /net::ERR_FAILED/);
await addPerson(service, 'finding-operator', 'operator', null);
const operator = { username: 'finding-operator', password: PASSWORD };

/** Titles of the shown pages, without the numbers next to them. */
const titlesOf = async (list: Locator) =>
  (await list.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]!);

const showsOnly = (list: Locator, titles: readonly string[]) =>
  waitFor(`the list shows ${titles}`, async () => (await titlesOf(list)).join() === titles.join());

for (const { language, name, field, words, group, inbox, none } of [
  {
    language: 'en',
    name: 'Settings',
    field: 'Find a setting',
    words: [
      ['quiet', 'Quiet hours'],
      ['2FA', 'Your settings'],
      ['billing', 'Wallet'],
      ['company logo', 'General'],
    ],
    group: 'inbox',
    inbox: ['Business hours and routing', 'Saved replies', 'Rules', 'Labels'],
    none: 'No matching settings.',
  },
  {
    language: 'he',
    name: 'הגדרות',
    field: 'חיפוש הגדרה',
    words: [
      ['שקטות', 'שעות שקטות'],
      ['2fa', 'ההגדרות שלך'],
      ['חיוב', 'ארנק'],
      ['לוגו', 'כללי'],
    ],
    group: 'תיבת שיחות',
    inbox: ['שעות פעילות וניתוב', 'תשובות שמורות', 'כללים', 'תוויות'],
    none: 'לא נמצאו הגדרות מתאימות.',
  },
] as const) {
  test(`settings are found by titles, groups and other words, with the keyboard alone (${language})`, async () => {
    const page = await signedIn({ language });
    await page.goto('/settings');
    const list = page.getByRole('navigation', { name });
    const search = list.getByRole('searchbox', { name: field });
    await search.waitFor();
    const all = await titlesOf(list);
    assert.ok(all.length > 10);
    await assertAccessible(page);
    for (const [word, found] of words.slice(0, 3)) {
      await search.fill(word);
      await showsOnly(list, [found]);
    }
    await search.fill(group);
    await showsOnly(list, inbox);
    await list.getByRole('list', { name: group === 'inbox' ? 'Inbox' : group }).waitFor();
    await keepScreenshot(page, `find-setting-${language}`);
    await search.fill('xyzzy');
    await list.getByRole('status').getByText(none).waitFor();
    await showsOnly(list, []);
    await assertAccessible(page);
    await search.press('Enter');
    assert.equal(new URL(page.url()).pathname, '/settings');
    await search.press('Escape');
    await showsOnly(list, all);
    assert.equal(await search.inputValue(), '');
    // The first page of those found.
    const [word, found] = words[3];
    await search.pressSequentially(word);
    await showsOnly(list, [found]);
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: found }).waitFor();
    await page.waitForURL(/\/account$/);
    await showsOnly(list, all);
    assert.equal(await search.inputValue(), '');
    await list.getByRole('link', { name: found }).and(page.locator('[aria-current=page]')).waitFor();
  });
}

test('a page that is opened from a filtered list leaves the list whole', async () => {
  const page = await signedIn();
  await page.goto('/account');
  const list = page.getByRole('navigation', { name: 'Settings' });
  const search = list.getByRole('searchbox', { name: 'Find a setting' });
  await search.fill('label');
  await list.getByRole('link', { name: 'Labels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor();
  await list.getByRole('link', { name: 'General' }).waitFor();
  assert.equal(await search.inputValue(), '');
});

test('operators filter the list of their pages; the short list of developers has no filter', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/routes');
  const list = page.getByRole('navigation', { name: 'Navigation' });
  const search = list.getByRole('searchbox', { name: 'Find a page' });
  await search.fill('customers');
  await list.getByRole('link', { name: 'Routes' }).waitFor({ state: 'detached' });
  await list.getByRole('link', { name: 'Accounts' }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'find-page-operator');
  await search.fill('activity log');
  await search.press('Enter');
  await page.waitForURL(/\/operator\/audit$/);
  await list.getByRole('link', { name: 'Routes' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await search.waitFor();
  await assertFits(page);
  await keepScreenshot(page, 'find-page-phone');

  const owner = await signedIn();
  await owner.goto('/tokens');
  await owner
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Webhooks' })
    .waitFor();
  assert.equal(await owner.locator('.find-entry').count(), 0);
});

test('on narrow screens the filter is in the list that a button opens', async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  await page.goto('/account');
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('button', { name: 'Settings · General' }).press('Enter');
  await list.getByRole('searchbox', { name: 'Find a setting' }).fill('replies');
  await showsOnly(list, ['Saved replies']);
  await assertFits(page);
  await assertAccessible(page);
  await list.getByRole('searchbox').press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Saved replies' }).waitFor();
  await waitFor('the list is closed', async () => (await list.getByRole('link').count()) === 0);
});

test('the list stays whole when the script of the filter does not load', async () => {
  const page = await signedIn();
  const refused: string[] = [];
  await page.route(/\/find-entry-[^/]*\.js/, (route) => {
    refused.push(route.request().url());
    return route.abort();
  });
  await page.goto('/account');
  await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
  await waitFor('the script was refused', async () => refused.length > 0);
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('link', { name: 'Labels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Labels' }).waitFor();
  assert.equal(await page.getByRole('searchbox', { name: 'Find a setting' }).count(), 0);
});
