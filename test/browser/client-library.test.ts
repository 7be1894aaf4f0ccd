import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { startBrowserTest } from '../support/browser.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';

const { service, visit } = await startBrowserTest();
const sources = join(import.meta.dirname, '../../client/src');

test('the client library sends, lists, watches and verifies in a browser', async () => {
  const page = await visit();
  // Beside the service, as a page of its users would be behind the same proxy.
  await page.route(`${service.url}/shop/**`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
    if (!readdirSync(sources).includes(name)) {
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' });
    }
    const text = stripTypeScriptTypes(readFileSync(join(sources, name), 'utf8'));
    return route.fulfill({ contentType: 'text/javascript', body: text });
  });
  await page.goto(`${service.url}/shop/`);
  const seen = await page.evaluate(
    async ({ url, token, phone }) => {
      const library = (await import(`${url}/shop/index.ts`)) as typeof import('../../client/src/index.ts');
      const client = new library.Carillon({ url, token });
      const { shipment_id } = await client.sms.send({ source: 'Shop', phones: [phone], message: 'Browser' });
      let state = '';
      for await (const event of client.live({ shipments: [shipment_id] })) {
        if (event.type !== 'message') continue;
        state = event.data.state;
        if (state === 'delivered') break;
      }
      const rows = [];
      for await (const row of client.messages.list({ shipment_id })) rows.push(row.phone);
      const refused = await client.sms.send({ source: 'Shop', phones: ['12'], message: 'Browser' }).then(
        () => null,
        (error: unknown) => (error instanceof library.CarillonError ? error.code : String(error)),
      );
      const verified = await library.verifyWebhook(`whsec_${btoa('secret')}`, { 'webhook-id': 'x' }, '').then(
        () => null,
        (error: unknown) => (error as Error).name,
      );
      return { state, rows: rows.length, refused, verified };
    },
    { url: service.url, token: DEMO_TOKEN, phone: newPhone() },
  );
  assert.deepEqual(seen, {
    state: 'delivered',
    rows: 1,
    refused: 'bad-destination',
    verified: 'WebhookVerificationError',
  });
});

test('/docs shows the examples as a program, and keeps the choice', async () => {
  const page = await visit({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${service.url}/docs/api/sending-sms`);
  const operation = page.locator('#sendText');
  await operation.getByRole('button', { name: 'TypeScript' }).click();
  await operation.getByText('client.sms.send(').waitFor();
  assert.equal(await operation.getByText('curl -s').isVisible(), false);
  await page.reload();
  await operation.getByText('client.sms.send(').waitFor();
  for (const [language, text] of [
    ['PHP', '$request = curl_init('],
    ['Python', 'request = urllib.request.Request('],
  ] as const) {
    await operation.getByRole('button', { name: language }).click();
    await operation.getByText(text).waitFor();
    await page.reload();
    await operation.getByText(text).waitFor();
    if (process.env.TEST_SCREENSHOTS === 'on')
      await page.screenshot({ path: `artefacts/docs-${language}.png` });
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await operation.scrollIntoViewIfNeeded();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  if (process.env.TEST_SCREENSHOTS === 'on') await page.screenshot({ path: 'artefacts/docs-phone.png' });
  await operation.scrollIntoViewIfNeeded();
  if (process.env.TEST_SCREENSHOTS === 'on') await page.screenshot({ path: 'artefacts/docs-typescript.png' });
  // An operation of people has no program.
  await page.goto(`${service.url}/docs#createToken`);
  await page.locator('#createToken').getByText('curl -s').waitFor();
});
