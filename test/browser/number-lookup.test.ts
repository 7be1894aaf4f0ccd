import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { phone } from '../faults/support.ts';
import { startProvider } from '../protocols/http-carrier/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';

/* The look-up of networks, and routes by network, as an operator uses them in the console. */

const { signedIn, service } = await startBrowserTest({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
await addPerson(service, 'looking', 'operator', null);
const operator = { username: 'looking', password: PASSWORD };
let isWell = true;
const provider = await startProvider({ after }, () =>
  isWell ? { status: 200, body: { network: '42501', ported: true } } : { status: 401 },
);
const description = JSON.stringify({
  title: 'Example of a look-up',
  send: { method: 'GET', url: `${provider.origin}/{to.digits}`, headers: { 'x-key': '{secret.key}' } },
  answer: {
    rules: [
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      { when: { status: 200, at: '/network' }, then: 'found' },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      { when: { status: 401 }, then: 'again', fault: 'access' },
    ],
    network: '/network',
    ported: { at: '/ported', is: true },
  },
});

test('an operator sets a look-up, tries it, routes by network, and removes it', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/routes');
  const dialog = page.getByRole('dialog');
  await page.getByText('No look-up').waitFor();
  await page.getByRole('button', { name: 'Set up look-up' }).click();
  await dialog.getByLabel('Secret: account').waitFor();
  await dialog.getByLabel('Provider').selectOption('Own description');
  const document = dialog.getByLabel('Description (JSON)');
  await document.fill('no JSON');
  await dialog.getByRole('button', { name: 'Set up look-up' }).click();
  await dialog.getByText('This is not a JSON object.').waitFor();
  await document.fill(description.replace('{to.digits}', '{text}'));
  await dialog.getByLabel('Secret: key').fill('secret12');
  await dialog.getByRole('button', { name: 'Set up look-up' }).click();
  await dialog.getByText(/description: \{text\} is of a message|\{text\} is of a message/).waitFor();
  await document.fill(description);
  await dialog.getByLabel('Requests per day at most').fill('500');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-number-lookup-form-en');
  await dialog.getByRole('button', { name: 'Set up look-up' }).click();
  await page.getByText('Example of a look-up').waitFor();
  await page.getByText('0 of 500').waitFor();

  const actions = page.getByRole('button', { name: 'Actions of the look-up' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Look up a number' }).click();
  await dialog.getByLabel('Phone number').fill(`+${phone(1)}`);
  await dialog.getByRole('button', { name: 'Look up' }).click();
  await dialog.getByText('Network 425-01').waitFor();
  await dialog.getByText('Ported from another network').waitFor();
  isWell = false;
  await dialog.getByRole('button', { name: 'Look up' }).click();
  await dialog.getByText('The look-up failed.').waitFor();
  await dialog.getByText('HTTP 401').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByText('Failing').waitFor();

  await page.getByRole('button', { name: 'Add route' }).click();
  const networks = dialog.getByRole('combobox', { name: 'Mobile networks', exact: true });
  await networks.fill('42501');
  await networks.press('Enter');
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByText('“42501” is not a network. Enter it like 425 or 425-01.').waitFor();
  await networks.press('Backspace');
  await networks.fill('425-01');
  await networks.press('Enter');
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await page.getByRole('row', { name: /Network 425-01/ }).waitFor();
  await page.getByLabel('Phone number').fill(phone(1));
  await page.getByLabel('Phone number').press('Enter');
  await page.getByText('The number is of the network 425-01. It was ported.').waitFor();
  await page.getByLabel('Phone number').fill(phone(2));
  await page.getByLabel('Phone number').press('Enter');
  await page
    .getByText('The network of this number is not known yet, so a message waits for the look-up.')
    .waitFor();
  await page.getByText('Only for other networks').waitFor();
  await assertAccessible(page);
  await page.getByText('Example of a look-up').scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-number-lookup-en');

  // Secrets stay.
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit look-up' }).click();
  assert.equal(await dialog.getByLabel('Secret: key').inputValue(), '');
  await dialog.getByLabel('Look up networks').uncheck({ force: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Remove look-up' }).click();
  await dialog.getByRole('button', { name: 'Remove look-up' }).click();
  await page.getByText('No look-up').waitFor();
});

test('the look-up in Hebrew, on a small screen', async () => {
  const page = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } }, operator);
  const answer = await page.request.put('/v1/operator/number-lookup', {
    data: { description: JSON.parse(description), secrets: { key: 'secret12' }, prefixes: ['972', '44'] },
    headers: { 'X-Carillon-CSRF': '1' },
  });
  assert.equal(answer.status(), 200, await answer.text());
  await page.goto('/operator/routes');
  await page.getByText('0 מתוך 10,000').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await page.getByText('Example of a look-up').scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-number-lookup-he-phone');
  await page.getByRole('button', { name: 'פעולות על האיתור' }).click();
  await page.getByRole('menuitem', { name: 'עריכת האיתור' }).click();
  await page.getByRole('dialog').getByLabel('מספר הפניות המרבי ביום').waitFor();
  await assertFits(page);
});
