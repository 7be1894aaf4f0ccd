import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { json, v1 } from '../api/v1/support.ts';
import { png } from '../modules/media/samples.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The page of the account: its name, and the logo that pages for recipients show. */

const { service, signedIn, visit } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

const isLoaded = (page: Page, selector: string) =>
  waitFor('the picture is shown', () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.naturalWidth > 0)`,
    ),
  );

for (const { language, choose, upload, logoOf, remove, none } of [
  {
    language: 'en',
    choose: 'Choose picture',
    upload: 'Upload picture',
    logoOf: 'Logo of Demo',
    remove: 'Remove logo',
    none: 'No logo. Pages show the first letter of the name.',
  },
  {
    language: 'he',
    choose: 'בחירת תמונה',
    upload: 'העלאת תמונה',
    logoOf: 'הלוגו של Demo',
    remove: 'הסרת הלוגו',
    none: 'אין לוגו. העמודים מציגים את האות הראשונה של השם.',
  },
] as const) {
  test(`an owner uploads the logo, which the page to unsubscribe shows, and removes it (${language})`, async () => {
    const page = await signedIn({ language });
    await page.goto('/account');
    await page.getByText(none).waitFor();
    await page.getByRole('button', { name: choose }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: upload }).waitFor();
    await assertAccessible(page);
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: `logo-${language}.png`, mimeType: 'image/png', buffer: png });
    await page.getByRole('img', { name: logoOf }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await isLoaded(page, '.account-logo');
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `account-${language}`);

    const phone = language === 'en' ? '0521230081' : '0521230082';
    await api.post('/sms', { source: 'Shop', message: 'Sale', removal: 'link', phones: [phone] }, 202);
    const link = await waitFor('the link', async () => {
      const [sms] = await service.phone(phone);
      return sms && /https?:\/\/\S+\/u\/\w+/.exec(sms.text)?.[0];
    });
    const recipient = await visit({ language, viewport: { width: 390, height: 700 } });
    await recipient.goto(link);
    await isLoaded(recipient, '.brand .logo');
    await assertAccessible(recipient);
    await keepScreenshot(recipient, `unsubscribe-logo-${language}`);

    await page.getByRole('button', { name: remove }).click();
    await page.getByText(none).waitFor();
    await recipient.reload();
    await recipient.locator('.brand .mark').waitFor();
  });
}

test('an image block takes an uploaded picture, which can be deleted', async () => {
  const page = await signedIn();
  await page.goto('/mail-templates/new');
  await page.getByRole('radiogroup', { name: 'Format' }).first().getByText('Blocks').click();
  await page.getByRole('button', { name: 'Add block' }).first().click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  await page.getByRole('button', { name: 'Choose picture' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'spring.png', mimeType: 'image/png', buffer: png });
  await dialog.waitFor({ state: 'detached' });
  assert.match(
    await page.getByRole('textbox', { name: 'Image address' }).inputValue(),
    /\/pictures\/[\w-]{22}$/,
  );
  await isLoaded(page, 'main img[src*="/pictures/"]');
  await page.getByRole('button', { name: 'Choose picture' }).click();
  await dialog.getByRole('button', { name: 'Use spring.png' }).waitFor();
  await keepScreenshot(page, 'pictures');
  await dialog.getByRole('button', { name: 'Delete spring.png' }).click();
  await page.getByRole('button', { name: 'Delete picture', exact: true }).click();
  await page.getByRole('button', { name: 'Use spring.png' }).waitFor({ state: 'detached' });
});

test('a file that is no picture is refused in words, and viewers cannot change the logo', async () => {
  const page = await signedIn();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Choose picture' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await dialog.getByText('Choose a JPEG, PNG or GIF.').waitFor();
  await keepScreenshot(page, 'pictures-refused');
  await addPerson(service, 'account-viewer', 'viewer', service.demo.id);
  const viewer = await signedIn({}, { username: 'account-viewer', password: PASSWORD });
  await viewer.goto('/account');
  await viewer.getByText('User name').waitFor();
  assert.equal(await viewer.getByRole('button', { name: 'Choose picture' }).count(), 0);
});

test('an email begins with the logo and the name of the account', async () => {
  const owner = await asPerson(service, 'owner', service.demo.id);
  const { id } = await json<{ id: string }>(v1(service.url, DEMO_TOKEN).post('/pictures?name=logo.png', png));
  await owner.call('PATCH', '/account', { logo_picture_id: id });
  const page = await signedIn();
  await page.goto('/mail-templates/new');
  await page.getByRole('radiogroup', { name: 'Format' }).first().getByText('Blocks').click();
  await page.getByRole('button', { name: 'Start with header and footer of the account' }).click();
  await isLoaded(page, 'main img[alt="Demo"]');
  assert.equal(await page.getByRole('textbox', { name: 'Footer text' }).inputValue(), 'Demo');
  await owner.call('PATCH', '/account', { logo_picture_id: null });
});
