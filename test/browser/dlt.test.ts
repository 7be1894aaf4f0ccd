import { test } from 'node:test';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';

/* Ids of India's DLT platforms on the page of senders. */

const { signedIn } = await startBrowserTest();

test('an owner enters the ids of the account and of a sender, and a wrong one is refused at its field', async () => {
  const page = await signedIn();
  await page.goto('/sources');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Entity ID').fill('1101123456789012345');
  await dialog.getByRole('button', { name: 'Add sender' }).click();
  const sender = dialog.getByRole('group', { name: 'Sender 1' });
  await sender.getByLabel('Sender', { exact: true }).fill('SHOPIN');
  await sender.getByLabel('Template ID').fill('not digits');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await sender.getByLabel('Template ID').and(page.locator('[aria-invalid="true"]')).waitFor();
  await sender.getByLabel('Template ID').fill('1107987654321098765');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Entity ID: 1101123456789012345').waitFor();
  await page.getByRole('row', { name: 'SHOPIN 1107987654321098765' }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'dlt-en');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
});
