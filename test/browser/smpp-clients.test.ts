import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectEsme } from '../api/smpp/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { newPhone } from '../support/phones.ts';

/* The page of SMPP clients: an owner adds one, sees it bound, disconnects it and replaces its password. */

const port = await freePort();
const { signedIn } = await startBrowserTest({ SMPP_SERVER_PORT: String(port) });
const esmeOf = () => connectEsme({ after }, port);

test('a client is added, seen bound, disconnected, gets a new password, and is deleted', async () => {
  const page = await signedIn();
  await page.goto('/smpp-clients');
  await page.getByText(`Port ${port}`).waitFor();
  await page.getByRole('button', { name: 'Add client' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Order system');
  await dialog.getByLabel('System ID').fill('no spaces');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add client' }).click();
  await dialog.getByLabel('System ID').and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByLabel('System ID').fill('orders');
  await dialog.getByRole('button', { name: 'Add client' }).click();
  const secret = dialog.getByRole('region', { name: 'Password' });
  const password = (await secret.innerText()).trim();
  assert.equal(password.length, 20);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Order system' }).waitFor();
  await page.getByText('Not bound').waitFor();

  const esme = await esmeOf();
  assert.equal((await esme.bind('orders', 'transceiver', { password })).command_status, 0);
  await esme.submit({ source_addr: 'Shop', destination_addr: newPhone(), short_message: 'Hello' });
  const row = page.getByRole('row').filter({ hasText: 'Transceiver' });
  await row.getByText('127.0.0.1').waitFor();
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  await page.getByText('1 of 4').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'smpp-client-bound-en');

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Maximum binds').fill('60');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByLabel('Maximum binds').and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByLabel('Maximum binds').fill('2');
  await dialog.getByLabel('Senders').fill('Shop');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 of 2').waitFor();

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No program is bound.').waitFor();

  await page.getByRole('button', { name: 'New password' }).click();
  await dialog.getByText('8 characters', { exact: true }).click();
  await dialog.getByRole('button', { name: 'New password' }).click();
  const replaced = (await secret.innerText()).trim();
  assert.equal(replaced.length, 8);
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  assert.notEqual((await (await esmeOf()).bind('orders', 'transceiver', { password })).command_status, 0);
  const again = await esmeOf();
  assert.equal((await again.bind('orders', 'transceiver', { password: replaced })).command_status, 0);

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No SMPP clients yet').waitFor();
});

test('in Hebrew, dark, on a phone', async () => {
  const page = await signedIn({ language: 'he', theme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/smpp-clients');
  await page.getByRole('button', { name: 'הוספת לקוח' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('שם', { exact: true }).fill('מערכת ההזמנות');
  await dialog.getByLabel('System ID').fill('orders-he');
  await dialog.getByRole('button', { name: 'הוספת לקוח' }).click();
  await dialog.getByRole('button', { name: 'העתקתי' }).click();
  await page.getByText('לא מחובר').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'smpp-client-he-dark-phone');
});
