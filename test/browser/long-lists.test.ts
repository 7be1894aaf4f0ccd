import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest();
const languages = ['en', 'he'] as const;
const words = {
  en: { more: 'Show more', count: (rows: number) => `${rows} rows` },
  he: { more: 'הצגת עוד', count: (rows: number) => `${rows} שורות` },
} as const;

const MESSAGES = 460;
/** Rows of the first page of messages. */
const FIRST_ROWS = 50;
/** More rows than a window of 860 pixels and what stands above and below it. */
const MOST_IN_PAGE = 100;

const sent = await service.call('json', 'sms', {
  source: 'Shop',
  destinations: { phone: Array.from({ length: MESSAGES }, (_, index) => `0521${100_000 + index}`) },
  message: 'One of many',
});
assert.equal(sent.status, 0, sent.message);
const rows = (page: Page) => page.locator('tbody tr:not(.table-space)');
/** Number of rows that the list has fetched. */
async function countOf(page: Page): Promise<number> {
  const foot = page.locator('.more-rows');
  return (await foot.count()) === 0 ? MESSAGES : Number.parseInt(await foot.innerText(), 10);
}
const scrollTo = (page: Page, y: string) => page.evaluate(`scrollTo(0, ${y})`);
const widths = (page: Page) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('thead th')].map((heading) => Math.round(heading.getBoundingClientRect().width))`,
  );

/** Scrolls down until the list has all its rows. */
async function scrollToEnd(page: Page): Promise<void> {
  await waitFor('the list has all rows', async () => {
    await scrollTo(page, 'document.body.scrollHeight');
    return (await page.locator('.more-rows').count()) === 0;
  });
  await waitFor('the last row is in the window', async () => {
    await scrollTo(page, 'document.body.scrollHeight');
    return (await rows(page).last().getAttribute('aria-rowindex')) === String(MESSAGES + 1);
  });
}

for (const language of languages) {
  test(`in ${language}, a list fetches more as one scrolls, and only rows around the window are in the page`, async () => {
    const page = await signedIn({ language });
    await page.goto('/messages');
    await rows(page)
      .nth(FIRST_ROWS - 1)
      .waitFor();
    await page.getByText(words[language].count(FIRST_ROWS)).waitFor();
    await scrollToEnd(page);
    assert.ok((await rows(page).count()) < MOST_IN_PAGE);
    assert.equal(await page.locator('table').getAttribute('aria-rowcount'), String(MESSAGES + 1));

    const before = await widths(page);
    await scrollTo(page, '8000');
    await waitFor('rows of the middle are in the page', async () => {
      const first = Number(await rows(page).first().getAttribute('aria-rowindex'));
      return first > FIRST_ROWS && first < MESSAGES - MOST_IN_PAGE;
    });
    assert.deepEqual(await widths(page), before, 'the columns keep their widths');

    await scrollTo(page, '0');
    await waitFor('the list is short again, and is refreshed', async () => {
      const count = await page.getByText(words[language].count(FIRST_ROWS + 3 * 100)).count();
      return count === 1 && (await rows(page).first().getAttribute('aria-rowindex')) === '2';
    });
  });
}

test('J and K open rows of a long list, also after one has scrolled away from the open row', async () => {
  const page = await signedIn();
  await page.goto('/messages');
  await scrollToEnd(page);
  await rows(page).last().getByRole('link').first().click();
  const panel = page.locator('.side-panel');
  await panel.waitFor();
  const opened = () => page.locator('tr[aria-current]').getAttribute('aria-rowindex');
  assert.equal(await opened(), String(MESSAGES + 1));
  for (let presses = 0; presses < 60; presses++) await page.keyboard.press('KeyK');
  await waitFor('the row is in the page', async () => (await opened()) === String(MESSAGES - 59));
  await scrollTo(page, '3000');
  await waitFor(
    'its row has left the page',
    async () => (await page.locator('tr[aria-current]').count()) === 0,
  );
  await page.keyboard.press('KeyJ');
  await page.locator('tr[aria-current]').waitFor();
});

test('the button fetches more by keyboard', async () => {
  const page = await signedIn({ viewport: { width: 1280, height: 860 } });
  await page.goto('/messages');
  await page.getByText(words.en.count(FIRST_ROWS)).waitFor();
  await page.getByRole('button', { name: words.en.more }).press('Enter');
  await waitFor('more rows are there', async () => (await countOf(page)) > FIRST_ROWS);
});

test('a list that cannot fetch more rows shows the error, and the button fetches them later', async () => {
  const page = await signedIn();
  await page.goto('/messages');
  await page.getByText(words.en.count(FIRST_ROWS)).waitFor();
  await page.route('**/v1/messages?*after=*', (route) =>
    route.fulfill({ status: 409, json: { status: 9, message: 'no' } }),
  );
  await scrollTo(page, 'document.body.scrollHeight');
  await page.locator('.more-rows [role=alert]').waitFor();
  await page.unroute('**/v1/messages?*after=*');
  await page.getByRole('button', { name: words.en.more }).click();
  await waitFor('more rows are there', async () => (await countOf(page)) > FIRST_ROWS);
  assert.equal(await page.locator('.more-rows [role=alert]').count(), 0);
});
