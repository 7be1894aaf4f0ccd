import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

/* The bell of the header: its clapper is green while pages are live, amber when they are behind, and swings for an update. */

const { service, signedIn } = await startBrowserTest({}, /net::ERR_CONNECTION_RESET|status of 503/);

const banner = (page: Page) => page.getByRole('banner');
const state = (page: Page) => banner(page).getByRole('status');
const behind = (page: Page) => banner(page).locator('.bell[data-behind]');
const colorOf = (page: Page) =>
  page.evaluate<string>("getComputedStyle(document.querySelector('.bell circle')).fill");

for (const { language, live, note, reason } of [
  {
    language: 'en',
    live: 'Live',
    note: /^Not live since \d\d:\d\d$/,
    reason: 'The service does not answer.',
  },
  {
    language: 'he',
    live: 'מתעדכן בזמן אמת',
    note: /^ללא עדכונים מאז \d{1,2}:\d\d$/,
    reason: 'השירות אינו משיב.',
  },
] as const) {
  test(`while the service does not answer, the clapper is amber and a note says since when (${language})`, async () => {
    const page = await signedIn({ language });
    await page.goto('/messages');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitFor('the pages are live', async () => (await state(page).innerText()) === live);
    assert.equal(await behind(page).count(), 0);
    const green = await colorOf(page);
    await page.route(/\/v1\//, (route) => route.abort('connectionreset'));
    await behind(page).waitFor();
    await banner(page).getByText(note).waitFor();
    await state(page).getByText(reason, { exact: false }).waitFor();
    assert.notEqual(await colorOf(page), green);
    const titled = banner(page)
      .locator('[title]')
      .filter({ has: page.locator('.bell') });
    const tooltip = await titled.getAttribute('title');
    assert.match(tooltip!, /\d:\d\d\. /);
    assert.ok(tooltip!.includes(reason));
    await assertAccessible(page, { rules: ['color-contrast', 'aria-allowed-attr', 'aria-hidden-focus'] });
    await assertFits(page);
    await keepScreenshot(page, `behind-${language}`);
    for (const width of [820, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await banner(page).getByText(note).waitFor();
      await assertFits(page);
      const menu = await banner(page).getByRole('button').last().boundingBox();
      assert.ok(menu!.x >= 0 && menu!.x + menu!.width <= width, 'the header is not cut');
      await keepScreenshot(page, `behind-${language}-${width}`);
    }
    await page.unroute(/\/v1\//);
    await behind(page).waitFor({ state: 'detached' });
    assert.equal(await state(page).innerText(), live);
    assert.equal(await colorOf(page), green);
  });
}

test('the clapper is amber while the stream of live updates is refused, and the page opens it again', async () => {
  const page = await signedIn();
  await page.route(/\/v1\/live/, (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/conversations');
  await behind(page).waitFor();
  await banner(page)
    .getByText(/^Not live since \d\d:\d\d$/)
    .first()
    .waitFor();
  assert.equal(await page.getByText('The service does not answer.', { exact: false }).count(), 0);
  await page.unroute(/\/v1\/live/);
  await behind(page).waitFor({ state: 'detached' });
  // A page without a stream is live when the service answers.
  await page.route(/\/v1\/live/, (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  await behind(page).waitFor();
  await banner(page).getByRole('button', { name: 'Search everything' }).waitFor();
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'General' }).waitFor();
  await behind(page).waitFor({ state: 'detached' });
});

/** Sends messages to a phone on the page until `done`: a stream begins with events that are no updates. */
async function updateUntil(done: () => Promise<boolean>): Promise<void> {
  await waitFor('the bell knows of an update', async () => {
    const sent = await service.call('json', 'sms', {
      source: 'Shop',
      destinations: { phone: ['0501234567'] },
      message: 'For the bell',
    });
    assert.equal(sent.status, 0, sent.message);
    return done();
  });
}

const ringing = (page: Page) => page.locator('.bell [data-ringing]');
const watchSwings = `addEventListener('animationstart', ({ animationName }) => {
  if (animationName === 'ring') window.swings = (window.swings ?? 0) + 1;
})`;
const swings = (page: Page) => page.evaluate<number>('window.swings ?? 0');

test('the bell swings once for an update', async () => {
  const page = await signedIn();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript({ content: watchSwings });
  await page.goto('/handsets');
  await page.locator('.handset').first().waitFor();
  await updateUntil(async () => (await swings(page)) > 0);
  await ringing(page).waitFor({ state: 'detached' });
});

test('with reduced motion the bell does not swing', async () => {
  const page = await signedIn();
  await page.addInitScript({ content: watchSwings });
  await page.goto('/handsets');
  await page.locator('.handset').first().waitFor();
  await updateUntil(async () => (await ringing(page).count()) > 0);
  assert.equal(
    await page.evaluate("getComputedStyle(document.querySelector('.bell circle')).animationName"),
    'none',
  );
  assert.equal(await swings(page), 0);
});
