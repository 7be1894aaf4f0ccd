import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowserTest } from '../support/browser.ts';
import { composeTo } from './forms.ts';

const { service, signedIn } = await startBrowserTest();

test('what is written is counted and priced, sent, and seen on the phone', async () => {
  const page = await signedIn();
  await composeTo(page, '052-123-4567', 'שלום, החבילה שלך בדרך');
  await page.getByText('Unicode, all letters').waitFor();
  await page.getByText('1 part', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Message accepted.').waitFor();
  await page.goto('/handsets');
  await page.getByLabel('Phone number').fill('0521234567');
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page.getByText('שלום, החבילה שלך בדרך').first().waitFor();
});

test('invalid content shows an error at its field, and nothing is sent', async () => {
  const page = await signedIn();
  const before = await service.sql`SELECT id FROM shipments`;
  await composeTo(page, '12, hello', '');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Write a text.').first().waitFor();
  await page.getByText('Not phone numbers: 12, hello').first().waitFor();
  const after = await service.sql`SELECT id FROM shipments`;
  assert.equal(after.length, before.length);
});
