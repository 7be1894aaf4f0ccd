import { test } from 'node:test';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';

/* Denied ranges, as an operator sees and changes them in the console. */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'denying', 'operator', null);
const operator = { username: 'denying', password: PASSWORD };

test('an operator checks a number, permits its range and deletes the rule', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/destinations');
  await page.getByText('Satellite networks').waitFor();
  await page.getByText('No rules', { exact: true }).waitFor();
  await assertAccessible(page);

  await page.getByLabel('Number', { exact: true }).fill('+881612345678');
  await page.getByLabel('Number', { exact: true }).press('Enter');
  const found = page.getByRole('status').filter({ hasText: 'Satellite networks' });
  await found.getByText('denied').waitFor();

  await page.getByRole('button', { name: 'Set rule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Prefix').fill('+8816');
  await dialog.getByLabel('Permit these numbers').click();
  await dialog.getByLabel('Note').fill('fleet trackers');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Set rule' }).click();
  const row = page.getByRole('row', { name: /\+8816/ });
  await row.getByText('permitted').waitFor();
  await row.getByText('fleet trackers').waitFor();
  await assertFits(page);
  await keepScreenshot(page, 'operator-destinations-en');

  await row.getByRole('button', { name: /Delete/ }).click();
  await dialog.getByRole('button', { name: 'Delete rule' }).click();
  await row.waitFor({ state: 'detached' });
});

test('the page is in Hebrew, too, and fits a phone', async () => {
  const page = await signedIn({ language: 'he' }, operator);
  await page.goto('/operator/destinations');
  await page.getByText('רשתות לוויין').waitFor();
  await assertFits(page);
  await keepScreenshot(page, 'operator-destinations-he');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'operator-destinations-he-phone');
});
