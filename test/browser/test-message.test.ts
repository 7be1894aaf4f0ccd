import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { asPerson } from '../api/v1/calls.ts';
import { type Reply, simple, startProvider } from '../protocols/http-carrier/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';

/* A test message over one connector, as an operator sends it in the console. */

const { service, signedIn } = await startBrowserTest({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
await addPerson(service, 'testing', 'operator', null);
const operator = { username: 'testing', password: PASSWORD };
const KEY = 'the-key-of-the-provider';
let reply: Reply = { status: 200, body: { id: 'm-17', key: KEY } };
const provider = await startProvider({ after }, () => reply);
const described = simple(provider.origin);
const description = { ...described, send: { ...described.send, auth: { bearer: '{secret.key}' } } };
const calls = await asPerson(service, 'operator');
await calls.post('/operator/connectors', { name: 'provider', http: { description, secrets: { key: KEY } } });

test('the request and the answer of an HTTP connector are shown with masked secrets', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/connectors');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Send test message over provider' }).click();
  await dialog.getByRole('button', { name: 'Send test message' }).click();
  await dialog.getByText('Fill in this field.').first().waitFor();
  await dialog.getByRole('combobox', { name: 'Account' }).fill('demo');
  await page.getByRole('option', { name: 'demo' }).click();
  await dialog.getByLabel('Sender').fill('Shop');
  await dialog.getByLabel('Phone number').fill('12');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-test-message-form-en');
  await dialog.getByRole('button', { name: 'Send test message' }).click();
  await dialog.getByLabel('Phone number').and(page.locator('[aria-invalid="true"]')).waitFor();
  const phone = newPhone();
  await dialog.getByLabel('Phone number').fill(phone);
  await dialog.getByRole('button', { name: 'Send test message' }).click();
  await dialog.getByText('authorization: Bearer ***').waitFor();
  await dialog.getByText('{"id":"m-17","key":"***"}').waitFor();
  await dialog.getByText('Submitted to the carrier').waitFor();
  await dialog.getByText('m-17', { exact: true }).waitFor();
  assert.doesNotMatch(await dialog.innerText(), new RegExp(KEY));
  assert.equal(provider.received.length, 1);
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-test-message-en');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  await page.getByRole('button', { name: 'Send test message over sandbox' }).click();
  await dialog.getByRole('combobox', { name: 'Account' }).fill('demo');
  await page.getByRole('option', { name: 'demo' }).click();
  await dialog.getByLabel('Sender').fill('Shop');
  await dialog.getByLabel('Phone number').fill(newPhone());
  await dialog.getByRole('button', { name: 'Send test message' }).click();
  await dialog.getByRole('status').getByText('Delivered').waitFor();
  assert.doesNotMatch(await dialog.innerText(), /Request/);
});

test('in Hebrew, dark, and on a small screen', async () => {
  reply = { status: 400, body: { code: 'bad-sender' } };
  const page = await signedIn(
    { language: 'he', theme: 'dark', viewport: { width: 390, height: 844 } },
    operator,
  );
  await page.goto('/operator/connectors');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'שליחת הודעת בדיקה דרך provider' }).click();
  await assertFits(page);
  await dialog.getByRole('combobox', { name: 'חשבון' }).fill('demo');
  await page.getByRole('option', { name: 'demo' }).click();
  await dialog.getByLabel('שולח').fill('Shop');
  await dialog.getByLabel('מספר טלפון').fill(newPhone());
  await dialog.getByRole('button', { name: 'שליחת הודעת בדיקה' }).click();
  await dialog.getByText('נדחתה, סופי').waitFor();
  await dialog.getByText('bad-sender', { exact: true }).first().waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-test-message-he-dark-phone');
});
