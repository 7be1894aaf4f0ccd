import '../channels/push/install.ts';

import { test } from 'node:test';
import { json, v1 } from '../api/v1/support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';

/* The console with a channel that it has no name, no colours and no failure reasons for. */

const devices = await startReceiver();
let served = 0;
devices.answer = (response, { body }) => {
  const { device } = JSON.parse(body) as { device: string };
  if (device === 'gone') response.writeHead(410);
  response.end(device === 'gone' ? '{}' : JSON.stringify({ id: String(1_000_000 + served++) }));
};

const { service, signedIn } = await startBrowserTest({ PUSH_URL: devices.url }, undefined, {
  schema: 'migrate',
});

test('a campaign of a channel that the console does not know has its page, named as the service names it', async () => {
  const api = v1(service.url, DEMO_TOKEN);
  const body = JSON.stringify({ devices: ['one', 'two', 'gone'], title: 'Sale', body: 'Today only' });
  const { id } = await json<{ id: string }>(
    api.post('/push/campaigns', body, { 'content-type': 'application/json' }),
    202,
  );
  const page = await signedIn();
  await page.goto('/campaigns?channel=push');
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/campaigns/${id}"]`) });
  await row.getByText('Push').waitFor();
  await row.getByText('3 of 3').waitFor();
  await row.getByRole('link').click();
  await page.getByRole('link', { name: 'Open page' }).click();
  await page.getByText('Finished', { exact: true }).first().waitFor();
  await page.getByText('Sale', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'The app is not installed any more.' }).first().waitFor();
  await page.getByRole('heading', { name: 'Failed recipients' }).waitFor();
  await page.getByRole('link', { name: 'gone', exact: true }).click();
  await page.getByRole('note').getByText('Remove the device.').waitFor();

  await page.goto('/');
  await page.getByRole('rowheader', { name: 'Push' }).waitFor();
});
