import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhones } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* A suspended account in the console: its work is seen as held, and the operator resumes it or cancels it with a refund. */

const { service, signedIn } = await startBrowserTest();
const { demo } = service;
await addPerson(service, 'suspending', 'operator', null);
const operator = { username: 'suspending', password: PASSWORD };
const calls = withToken(service.url, DEMO_TOKEN);
const before = await service.balance();

const inAnHour = () => new Date(service.appContext.clock.now() + 3_600_000).toISOString();
const schedule = (count: number) => {
  const body = { source: 'Shop', message: 'hello', phones: newPhones(count), at: inAnHour() };
  return calls.post<{ shipment_id: string }>('/sms', body, 202);
};
const stateOf = async (id: string) => (await calls.get<{ state: string }>(`/shipments/${id}`)).state;

afterEach(() => service.appContext.accounts.suspend(demo.id, false));

test('an operator suspends an account, sees what is held, and lifts the suspension', async () => {
  const { shipment_id: id } = await schedule(3);
  const page = await signedIn({}, operator);
  await page.goto(`/operator/accounts/${demo.id}`);
  await page.getByRole('button', { name: /Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByText('are held until').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  const held = page.locator('#held');
  await held.getByText('3', { exact: true }).waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'operator-held-en');

  const account = await signedIn();
  await account.goto(`/campaigns/${id}`);
  await account.getByText('The rest of this campaign is held').waitFor();
  await account.goto('/');
  await account.getByRole('columnheader', { name: 'Held' }).waitFor();

  await held.getByRole('button', { name: 'Lift suspension' }).click();
  await held.waitFor({ state: 'detached' });
  assert.equal(await stateOf(id), 'scheduled');
});

test('an operator cancels what is held, and the account gets its credit back', async () => {
  const { shipment_id: id } = await schedule(4);
  await service.appContext.accounts.suspend(demo.id, true);
  const page = await signedIn({ language: 'he' }, operator);
  await page.goto(`/operator/accounts/${demo.id}`);
  const held = page.locator('#held');
  await held.getByRole('button', { name: 'ביטול וזיכוי' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'ביטול וזיכוי' }).click();
  await held.getByText('הביטול האחרון').waitFor();
  await waitFor('it is refunded', async () => (await service.balance()) === before);
  assert.equal(await stateOf(id), 'cancelled');
  await assertFits(page);
  await keepScreenshot(page, 'operator-held-he');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
});

test('the account sees its budgets with the bytes of its files, and the operator changes a limit', async () => {
  const page = await signedIn();
  await page.goto('/wallet');
  const files = page.getByRole('row', { name: /Stored files/ });
  await files.getByText('2,000 MB').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'budgets-en');

  const other = await signedIn({}, operator);
  await other.goto(`/operator/accounts/${demo.id}`);
  await other.getByRole('button', { name: 'Change the budget “Stored files”' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByLabel('Largest size in MB').fill('5');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await other
    .getByRole('row', { name: /Stored files/ })
    .getByText('set for this account')
    .waitFor();
  await page.reload();
  await files.getByText('5 MB').waitFor();
});
