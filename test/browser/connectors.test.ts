import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phones, startNetwork } from '../faults/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';

/* Connectors, as an operator changes them in the console. */

const network = await startNetwork();
const { service, signedIn } = await startBrowserTest({ VOICE_ESPEAK: '/nowhere/espeak-ng' });
await addPerson(service, 'connecting', 'operator', null);
const operator = { username: 'connecting', password: PASSWORD };

test('a connector is added, tried, used by a route, disabled and removed', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/connectors');
  await page.getByRole('article', { name: 'sandbox', exact: true }).getByText('From configuration').waitFor();

  await page.getByRole('button', { name: 'Add connector' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('alpha');
  await dialog.getByLabel('Host').fill('127.0.0.1');
  await dialog.getByLabel('Port').fill(String(network.port));
  await dialog.getByLabel('System ID').fill('carillon');
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add connector' }).click();
  const alpha = page.getByRole('article', { name: 'alpha' });
  await alpha.getByText('in no route').waitFor();

  await alpha.getByRole('button', { name: 'Try alpha' }).click();
  await dialog.getByText('The carrier does not accept the connection').waitFor();
  await dialog.getByText('ESME_RINVPASWD').waitFor();
  await keepScreenshot(page, 'operator-connectors-trial-en');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  await page.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill('carillon');
  await dialog.getByLabel('Messages per second of each sender').fill('5');
  await dialog.getByRole('button', { name: 'Add optional parameter' }).click();
  const parameter = dialog.getByRole('group', { name: 'Optional parameter 1' });
  await parameter.getByLabel('Value').fill('{dlt.nothing}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await parameter.getByLabel('Value').and(page.locator('[aria-invalid="true"]')).waitFor();
  await parameter.getByLabel('Value').fill('{dlt.entity}');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-connectors-parameters-en');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await alpha.getByText('Up', { exact: true }).waitFor();
  await alpha.getByRole('button', { name: 'Try alpha' }).click();
  await dialog.getByText('The carrier accepts the connection').waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  await page.goto('/operator/routes');
  await page.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByRole('combobox', { name: 'Prefixes' }).fill('97250');
  await dialog.getByLabel('Connector', { exact: true }).selectOption('alpha');
  await dialog.getByRole('button', { name: 'Add another connector' }).click();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await page
    .getByRole('row', { name: /\+97250/ })
    .getByText('priority 0, weight 1')
    .waitFor();
  const [phone] = phones(70, 1);
  await page.getByLabel('Phone number').fill(`+${phone}`);
  // Notifications stand at the bottom, over the button.
  await page.getByLabel('Phone number').press('Enter');
  await page.getByRole('status').getByText('alpha').waitFor();

  await page.goto('/operator/connectors');
  await page.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Set limit' }).click();
  await dialog.getByLabel('Messages per second').fill('25');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await alpha.getByText('25 per second at most').waitFor();

  // What routes use stays, and the dialog says why.
  await page.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('Routes use this connector: to/97250.').waitFor();
  await dialog.getByRole('button', { name: 'Keep connector' }).click();
  await keepScreenshot(page, 'operator-connectors-en');

  await page.goto('/operator/routes');
  await page.getByRole('button', { name: 'Remove to/97250' }).click();
  await dialog.getByRole('button', { name: 'Remove route' }).click();
  await page.getByRole('row', { name: /\+97250/ }).waitFor({ state: 'detached' });
  await page.goto('/operator/connectors');
  await page.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await alpha.getByText('Disabled', { exact: true }).waitFor();
  await waitFor('its session is over', () => network.smsc.boundSessions === 0);
  await page.getByRole('button', { name: 'Actions for alpha' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await alpha.waitFor({ state: 'detached' });
  const rows = await service.sql`SELECT name FROM connectors`;
  assert.deepEqual(rows.length, 0);
});

test('an HTTP connector is added from a ready description, previewed and changed to an own one', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/connectors');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add HTTP connector' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('provider');
  await dialog.getByLabel('Provider', { exact: true }).selectOption('twilio');
  await dialog.getByLabel('Secret: account').fill('AC0123456789');
  await dialog.getByLabel('Secret: token').fill('the-token-of-twilio');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-connectors-http-en');
  await dialog.getByRole('button', { name: 'Add HTTP connector' }).click();
  await dialog.getByText(/\/carrier-requests\/provider\/[\w-]{32}\/reports/).waitFor();
  await dialog.getByText(/\/carrier-requests\/provider\/[\w-]{32}\/incoming/).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const provider = page.getByRole('article', { name: 'provider' });
  await provider.getByText('in no route').waitFor();

  await page.getByRole('button', { name: 'Actions for provider' }).click();
  await page.getByRole('menuitem', { name: 'Preview request' }).click();
  await dialog.getByText('authorization: Basic ***').waitFor();
  assert.doesNotMatch(await dialog.innerText(), /AC0123456789|the-token-of-twilio/);
  await dialog.getByLabel('HTTP status').fill('400');
  await dialog.getByLabel('Body of the answer').fill('{"code":21610,"message":"unsubscribed"}');
  await dialog.getByRole('button', { name: 'Read answer' }).click();
  await dialog.getByText('Refused, final').waitFor();
  await dialog.getByText('21610', { exact: true }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-connectors-preview-en');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Actions for provider' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Provider', { exact: true }).selectOption('own');
  const description = (then: string) =>
    JSON.stringify({
      send: { url: 'https://api.example/send', auth: { bearer: '{secret.key}' } },
      answer: { rules: [{ when: { status: 200 }, then }] },
    });
  await dialog.getByLabel('Description (JSON)').fill(description('perhaps'));
  await dialog.getByLabel('Secret: key').fill('the-key');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('http.description.answer.rules[0].then').waitFor();
  await dialog.getByLabel('Description (JSON)').fill(description('accepted'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  // Another provider gets none of the old secrets.
  await dialog.getByText('Fill in this field.').waitFor();
  await dialog.getByLabel('Create new addresses').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/\/carrier-requests\/provider\/[\w-]{32}\/reports/).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const rows = await service.sql<{ settings: { description: { send: { url: string } } } }[]>`
    SELECT settings FROM connectors WHERE name = 'provider'`;
  assert.equal(rows[0]?.settings.description.send.url, 'https://api.example/send');
});

test('a provider that makes calls is added with its caller number, and no route of SMS is offered it', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/connectors');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add HTTP connector' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('calls');
  await dialog.getByLabel('Provider', { exact: true }).selectOption('twilio-calls');
  await dialog.getByLabel('Secret: account').fill('AC0123456789');
  await dialog.getByLabel('Secret: token').fill('the-token-of-twilio');
  await dialog.getByLabel('Caller ID').fill('Shop');
  await dialog.getByLabel('Prefixes').fill('+972, 1');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-connectors-http-calls-en');
  await dialog.getByRole('button', { name: 'Add HTTP connector' }).click();
  await dialog.getByText('This value has the wrong form.').waitFor();
  await dialog.getByLabel('Caller ID').fill('+97237654321');
  await dialog.getByRole('button', { name: 'Add HTTP connector' }).click();
  await dialog.getByText(/\/carrier-requests\/calls\/[\w-]{32}\/reports/).waitFor();
  assert.equal(await dialog.getByText(/\/incoming/).count(), 0);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const card = page.getByRole('article', { name: 'calls', exact: true });
  await card.getByText('HTTP (calls)').waitFor();
  assert.doesNotMatch(await card.innerText(), /in no route/);
  const [row] = await service.sql<{ settings: { callerId: string; prefixes: string[] } }[]>`
    SELECT settings FROM connectors WHERE name = 'calls'`;
  assert.deepEqual([row!.settings.callerId, row!.settings.prefixes], ['+97237654321', ['972', '1']]);

  await page.getByRole('button', { name: 'Actions for calls' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  assert.equal(await dialog.getByLabel('Prefixes').inputValue(), '972, 1');
  await dialog.getByLabel('Prefixes').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto('/operator/network');
  await page.getByRole('article', { name: 'calls', exact: true }).getByText('037654321').waitFor();
});

test('in Hebrew, dark, and on a small screen', async () => {
  const page = await signedIn(
    { language: 'he', theme: 'dark', viewport: { width: 390, height: 844 } },
    operator,
  );
  await page.goto('/operator/connectors');
  const sandbox = page.getByRole('article', { name: 'sandbox', exact: true });
  await sandbox.getByText('מההגדרות').waitFor();
  await assertFits(page);
  await sandbox.getByRole('button', { name: 'בדיקה של sandbox', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('הספק מקבל את החיבור').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-connectors-trial-he-dark-phone');
  await page.goto('/operator/routes');
  await page.getByRole('button', { name: 'הוספת ניתוב' }).click();
  await dialog.getByRole('combobox', { name: 'קידומות' }).fill('x');
  await dialog.getByRole('button', { name: 'הוספת ניתוב' }).click();
  await dialog.getByText('״x״ אינה קידומת. הזינו עד 15 ספרות.').waitFor();
  await assertFits(page);
  await keepScreenshot(page, 'operator-connectors-route-he-dark-phone');
});

test('the overview of operators says that no calls can be made', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator');
  await page.getByRole('link', { name: 'Calls are not possible now' }).click();
  await page.waitForURL(/\/operator\/network$/);
  await page.getByText('/nowhere/espeak-ng is not installed').waitFor();
});
