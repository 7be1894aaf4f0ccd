import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningLoops } from '../../server/kit/loop.ts';
import { withToken } from '../api/v1/calls.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { OPERATOR, seed } from './seed.ts';

/* What an account keeps, for its owner and for the operator, and what is shown of a text that is removed. */

const { service, signedIn } = await startBrowserTest();
await seed(service);
const api = withToken(service.url, DEMO_TOKEN);

test('an owner keeps texts for a shorter time, after a question; the operator limits it', async () => {
  const page = await signedIn();
  await page.goto('/data');
  const texts = page.getByLabel('Texts of messages');
  await texts.waitFor();
  await assertAccessible(page);
  await texts.fill('500');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Between 1 and 400.').waitFor();
  await texts.fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Shorter retention: Texts of messages/).waitFor();
  await dialog.getByRole('button', { name: 'Remove older data' }).click();
  await page.getByText('The retention times were saved.').waitFor();
  await keepScreenshot(page, 'data');
  await page.getByRole('radio', { name: 'Encrypted' }).click();
  await page.getByText('The storage of texts was saved.').waitFor();
  await page.getByRole('radio', { name: 'Encrypted', checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Not kept' }).click();
  await dialog.getByText('Stored texts are also removed').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await keepScreenshot(page, 'data-texts');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'data-phone');

  const asOperator = await signedIn({}, OPERATOR);
  await asOperator.goto(`/operator/accounts/${service.demo.id}`);
  await asOperator.getByText('The account keeps 30 days.').first().waitFor();
  await asOperator.getByLabel('Request log').fill('3');
  await asOperator.getByRole('button', { name: 'Save' }).last().click();
  await asOperator.getByRole('button', { name: 'Remove older data' }).click();
  await asOperator.getByText('The retention times were saved.').waitFor();
  await asOperator.getByText('The account keeps 3 days.').first().waitFor();
  await keepScreenshot(asOperator, 'account-retention');
});

test('a message without its text says that the text was removed', async () => {
  const { shipment_id } = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: 'Nightingale', phones: [newPhone()] },
    202,
  );
  const read = async () =>
    (await api.get<{ messages: { id: string; state: string }[] }>(`/messages?shipment_id=${shipment_id}`))
      .messages[0]!;
  await waitFor('it is delivered', async () => (await read()).state === 'delivered');
  await service.advance(31 * 86_400);
  await Promise.all(runningLoops().flatMap((loop) => (loop.owner === 'retention' ? [loop.run()] : [])));
  const { id } = await read();
  const page = await signedIn();
  await page.goto(`/messages/${id}`);
  await page.getByText('Text removed').waitFor();
  await page.goto('/messages');
  await page.getByText('Text removed').first().waitFor();
  assert.equal(await page.getByText('Nightingale').count(), 0);
});
