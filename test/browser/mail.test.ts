import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';

const { service, signedIn } = await startBrowserTest();
const reader = 'reader@example.com';
/** Of a browser's window. */
interface Styles {
  getComputedStyle(element: unknown): { color: string; fontWeight: string };
}

/** The row of a table that begins with an address. */
const userRow = (page: Page, email: string) =>
  page.getByRole('row').filter({ hasText: new RegExp(`^${email}`) });

test('a mail goes to a list, is read on the phone, and its link removes the reader', async () => {
  const page = await signedIn();

  await page.goto('/mailing-lists');
  await page.getByRole('button', { name: 'New list' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Friends of the shop');
  await page.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'Friends of the shop', level: 1 }).waitFor();
  for (const [email, name] of [
    [reader, 'Dana'],
    ['bounce-hard-reader@example.com', 'Yoav'],
  ] as const) {
    await page.getByRole('button', { name: 'Add recipient' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('First name').fill(name);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add recipient' }).click();
    await dialog.waitFor({ state: 'detached' });
    await userRow(page, email).waitFor();
  }
  await page.getByText('2 recipients, 2 subscribed').waitFor();
  await page.getByLabel('Search by address').fill('HARD');
  await userRow(page, reader).waitFor({ state: 'detached' });
  await userRow(page, 'bounce-hard-reader@example.com').waitFor();

  await page.goto('/send?channel=mail');
  await page.getByLabel('Sender name').fill('The shop');
  await page.getByRole('combobox', { name: 'Sender address' }).fill('news@shop.example');
  await page.getByLabel('Subject').fill('News for {{FirstName}}');
  await page
    .getByRole('textbox', { name: 'HTML' })
    .fill(
      '<style>p{color:#0b7285}</style><p style="font-weight:bold">Hello {{FirstName|friend}}</p><script>alert(1)</script>',
    );
  await page.getByRole('combobox', { name: 'Mailing lists' }).click();
  await page.getByRole('option', { name: /Friends of the shop/ }).click();
  await page.keyboard.press('Escape');
  const preview = page.frameLocator('iframe[title="The email"]');
  const greeting = preview.getByText('Hello Dana');
  await greeting.waitFor();
  const look = await greeting.evaluate((element) => {
    const { color, fontWeight } = (globalThis as unknown as Styles).getComputedStyle(element);
    return { color, fontWeight };
  });
  assert.deepEqual(look, { color: 'rgb(11, 114, 133)', fontWeight: '700' });
  await page.getByText('News for Dana').waitFor();
  await preview.getByRole('link', { name: 'Unsubscribe' }).waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'mail-compose-en-light');

  await page.getByRole('button', { name: 'Send test', exact: true }).click();
  await page.getByLabel('Addresses').fill('me@example.com');
  await page.getByRole('button', { name: 'Send to these addresses' }).click();
  await page.getByText('One test email is on its way.').waitFor();

  await page
    .getByRole('region', { name: 'Before you send' })
    .getByText('0.2 credits', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'News for {{FirstName}}', level: 1 }).waitFor();
  await page.getByText('2 of 2').first().waitFor();
  await userRow(page, 'bounce-hard-reader@example.com').first().waitFor();
  await page.getByText('Finished').waitFor();
  await page.getByText(`As received by ${reader}`).waitFor();
  await preview.getByText('Hello Dana').waitFor();
  await page.getByRole('link', { name: 'Messages', exact: true }).last().click();
  await userRow(page, reader).getByRole('link').first().click();
  await preview.getByText('Hello Dana').waitFor();
  await preview.getByRole('link', { name: 'Unsubscribe' }).waitFor();
  await keepScreenshot(page, 'message-mail-en-light');
  await page.goBack();
  await page.goBack();
  await page.getByText(`As received by ${reader}`).waitFor();
  await keepScreenshot(page, 'mail-campaign-en-light');
  const campaign = page.url().replace('/campaigns/', '/mail-campaigns/');

  await page.goto('/handsets');
  const phone = page.locator('.handset').first();
  await phone.getByRole('button', { name: 'Email' }).click();
  await phone.getByLabel('Email address of the mailbox').fill(reader);
  await phone.getByRole('button', { name: 'Open' }).click();
  await phone.getByRole('button', { name: /News for Dana/ }).click();
  await phone.frameLocator('iframe').getByText('Hello Dana').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'mail-handset-en-light');
  const [removal] = await Promise.all([
    page.waitForEvent('popup'),
    phone.frameLocator('iframe').getByRole('link').click(),
  ]);
  await removal.getByRole('button', { name: 'Unsubscribe' }).click();
  await removal.getByText('No more emails').waitFor();

  // An address of before leads to the page.
  await page.goto(campaign);
  // Of opens: who reads a mail on the phone fetches its image.
  await page.getByText('100% of sent').first().waitFor();
  await page.getByText('Unsubscribes', { exact: true }).last().click();
  await userRow(page, reader).waitFor();
  // The outcome of the mail and what followed on it, on its own page.
  await page.getByRole('link', { name: 'Messages', exact: true }).last().click();
  await userRow(page, reader).getByText('Opened', { exact: true }).waitFor();
  await userRow(page, reader).getByRole('link').first().click();
  await page.getByText('Unsubscribed', { exact: true }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByRole('link', { name: 'Friends of the shop' }).click();
  const row = userRow(page, reader);
  await row.getByText('Unsubscribed').waitFor();
  await row.getByText('Unsubscribe page').waitFor();
  await page.getByText('2 recipients, 0 subscribed').waitFor();

  await row.getByRole('button', { name: `Actions for ${reader}` }).click();
  await page.getByRole('menuitem', { name: 'Restore recipient' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore recipient' }).click();
  await row.getByText('Subscribed', { exact: true }).waitFor();
});

test('one press in the mail program removes, too', async () => {
  const page = await signedIn();
  await page.goto('/campaigns?channel=mail');
  await page.getByRole('link', { name: 'News for {{FirstName}}' }).waitFor();
  await page.goto('/handsets');
  const phone = page.locator('.handset').first();
  await phone.getByRole('button', { name: 'Email' }).click();
  await phone.getByLabel('Email address of the mailbox').fill(reader);
  await phone.getByRole('button', { name: 'Open' }).click();
  await phone.getByRole('button', { name: /News for Dana/ }).click();
  await phone.getByRole('button', { name: 'Unsubscribe' }).click();
  await phone.getByText('Unsubscribe request sent.').waitFor();
  await phone.getByRole('textbox', { name: 'Reply' }).fill('Is it open today?');
  await phone.getByRole('button', { name: 'Send' }).click();
  await phone.getByText('Reply sent.').waitFor();
  await keepScreenshot(page, 'handset-mail-reply');
  const rows = await service.sql<{ body: string }[]>`
    SELECT body FROM mail_incoming WHERE account_id = ${service.demo.id} AND client = ${reader}`;
  assert.deepEqual([...rows], [{ body: 'Is it open today?' }]);
  await page.goto('/mailing-lists');
  await page.getByRole('link', { name: 'Friends of the shop' }).click();
  await page.getByText('One-click unsubscribe').waitFor();
});

test('a file becomes users, by the columns that one chooses', async () => {
  const page = await signedIn();
  await page.goto('/mailing-lists');
  await page.getByRole('button', { name: 'New list' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('From a file');
  await page.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('town;mail;who\nHaifa;noa@example.com;Noa\nLod;nobody;Ido\nAkko;;Lia\n'),
  });
  await page.getByLabel('Content of the column “who”').selectOption('First name');
  await page.getByText('If a row appears twice, the last one wins.', { exact: false }).waitFor();
  await page
    .getByRole('row', { name: /nobody/ })
    .getByText('Skipped: Not an email address')
    .waitFor();
  await page.getByRole('row', { name: /Lia/ }).getByText('Skipped: No email address').waitFor();
  await page.getByRole('row', { name: /noa@/ }).getByText('Added').waitFor();
  await page.getByText('2 of these rows are invalid.').waitFor();
  await keepScreenshot(page, 'mail-import-en-light');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  await page.getByText('Not an email address').waitFor();
  await page.getByRole('link', { name: 'Open list' }).click();
  const row = userRow(page, 'noa@example.com');
  await row.getByText('Noa', { exact: true }).waitFor();
  await row.getByText('Haifa').waitFor();
});
