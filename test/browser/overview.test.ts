import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smsChannel } from '../../server/channels/sms/channel.ts';
import { hourOf } from '../../server/engine/messages/hours.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

/** The overview, and the inbox of the sandbox. */
const { service, signedIn } = await startBrowserTest();
const { call, demo, sql } = service;

// A week ago everything was delivered.
const lastWeek = hourOf(service.appContext.clock.now()) - 7 * 24 - 2;
await sql`
  INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed, cancelled,
    parts, spent, counted_at)
  VALUES (${demo.id}, ${lastWeek}, ${smsChannel.id}, 40, 0, 0, 40, 0, 0, 0, 40, 40, ${service.appContext.clock.now()})`;
await call('json', 'addNumBL', { phones: { phone: ['0521239998'] } });
const phones = ['0521230001', '0521231101', '0521230002', '0521239998', '0521231102', '0521231103'];
const sent = await call('json', 'sms', {
  source: 'Shop',
  destinations: { phone: phones },
  message: 'Seen in the inbox',
});
assert.equal(sent.status, 0, sent.message);
await waitFor('all is counted', async () => {
  const rows = await sql<{ delivered: number; failed: number }[]>`
    SELECT delivered, failed FROM message_hours WHERE account_id = ${demo.id} AND hour > ${lastWeek}`;
  const sum = (of: 'delivered' | 'failed') => rows.reduce((all, row) => all + row[of], 0);
  return sum('delivered') === 3 && sum('failed') === 3;
});

test('the overview says how long the balance lasts, what fell since the week before, and why messages failed', async () => {
  const page = await signedIn();
  await page.goto('/');
  const balance = page.getByRole('region', { name: 'Balance' });
  await balance.getByText('left at the current spending', { exact: false }).waitFor();
  const rate = page.getByRole('region', { name: 'Delivery rate' });
  await rate.getByText(/50.* points from the week before/).waitFor();
  assert.match(await rate.innerText(), /50%/);
  await page.getByRole('cell', { name: /50%.*was 100%/ }).waitFor();
  await page
    .getByRole('region', { name: 'Sent' })
    .getByText('from the week before', { exact: false })
    .waitFor();
  const failures = page.getByRole('listitem').filter({ hasText: 'blacklist' });
  await failures.getByRole('link', { name: 'Go to Blacklist' }).click();
  await page.waitForURL(/\/blacklist$/);
  await page.goBack();
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days');
  await page.waitForURL(/from=\d{4}-\d\d-\d\d&until=\d{4}-\d\d-\d\d/);
  await page.getByText('By day of acceptance').waitFor();
  await page.getByLabel('Period').selectOption('Choose dates');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.waitForURL(/from=2026-01-01/);
  assert.equal(await page.getByRole('combobox', { name: 'Period' }).inputValue(), 'own');
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 24 hours');
  await page.getByText('By hour of acceptance').waitFor();
  await keepScreenshot(page, 'overview');
  await assertAccessible(page);
});

test('the steps to set up an account are shown until they are done or hidden, in Hebrew, too', async () => {
  const page = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } });
  await page.goto('/');
  const steps = page.getByRole('list').filter({ hasText: 'יצירת אסימון API' });
  await steps
    .getByRole('listitem')
    .filter({ hasText: 'שליחת הודעה ראשונה' })
    .getByRole('img', { name: 'הושלם' })
    .waitFor();
  // The sandbox does not check senders.
  assert.equal(await steps.getByRole('listitem').filter({ hasText: 'הוספת מזהה שולח' }).count(), 0);
  await steps.getByRole('link', { name: 'הוספת רשימת אנשי קשר' }).waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'overview-first-steps-hebrew-phone');
  await page.getByRole('button', { name: 'הסתרת הרשימה' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('region', { name: 'יתרה' }).waitFor();
  assert.equal(await steps.count(), 0);
});

test('what phones and mailboxes received is listed as it arrives, searched, and opened', async () => {
  const page = await signedIn();
  await page.goto('/sandbox');
  const inbox = page.getByRole('list', { name: 'Sandbox inbox' }).getByRole('button');
  await inbox.filter({ hasText: '0521231103' }).waitFor();
  await call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521231104' },
    message: 'While one looks',
  });
  const arrived = inbox.filter({ hasText: 'While one looks' });
  await arrived.waitFor();
  await arrived.click();
  await page.locator('.handset').getByText('While one looks').waitFor();
  await page.getByRole('searchbox', { name: 'Search numbers, addresses and texts' }).fill('0521231102');
  await arrived.waitFor({ state: 'detached' });
  await inbox.filter({ hasText: '0521231102' }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'sandbox-inbox');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'sandbox-inbox-phone');
});

test('a number of the sandbox gets another outcome from the inbox, in Hebrew, too', async () => {
  const page = await signedIn();
  await page.goto('/sandbox');
  const chosen = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Numbers with another outcome' }) });
  await chosen.getByText('Every number goes by its own ending.').waitFor();
  await chosen.getByLabel('Phone number').fill('x');
  await chosen.getByRole('button', { name: 'Set outcome' }).click();
  await chosen.getByText('This is not a phone number that can be sent to.').waitFor();
  await chosen.getByLabel('Phone number').fill('0521237777');
  await chosen.getByLabel('Behaves as').selectOption('0001');
  await chosen.getByRole('button', { name: 'Set outcome' }).click();
  await chosen.getByRole('cell', { name: '…0001 · Not delivered' }).waitFor();
  await call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521237777' },
    message: 'Fails as chosen',
  });
  await waitFor('it failed', async () => {
    const rows = await sql`
      SELECT FROM messages WHERE account_id = ${demo.id} AND recipient = '972521237777' AND status = 101`;
    return rows.length === 1;
  });
  await assertAccessible(page);
  await keepScreenshot(page, 'sandbox-outcomes');

  const hebrew = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } });
  await hebrew.goto('/sandbox');
  const list = hebrew
    .locator('section')
    .filter({ has: hebrew.getByRole('heading', { name: 'מספרים עם תוצאה אחרת' }) });
  await list.getByRole('cell', { name: '…0001 · לא נמסרה' }).waitFor();
  await assertFits(hebrew);
  await keepScreenshot(hebrew, 'sandbox-outcomes-he-phone');
  await list.getByRole('button', { name: /^איפוס / }).click();
  await list.getByText('כל מספר פועל לפי הסיומת שלו.').waitFor();
});
