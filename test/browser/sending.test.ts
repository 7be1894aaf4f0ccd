import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactListsOf } from '../api/v1/support.ts';
import { assertAccessible, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';
import { composeTo } from './forms.ts';

// One test breaks a connection.
const { service, signedIn } = await startBrowserTest({}, /net::ERR_CONNECTION_RESET/);
const { newList } = contactListsOf(service);

for (const texts of [
  {
    language: 'en',
    sender: 'Sender',
    address: 'Sender address',
    text: 'Text',
    phones: 'Phone numbers',
    send: 'Send',
    addSender: 'Add a sender',
  },
  {
    language: 'he',
    sender: 'שולח',
    address: 'כתובת השולח',
    text: 'טקסט',
    phones: 'מספרי טלפון',
    send: 'שליחה',
    addSender: 'הוספת מזהה שולח',
  },
] as const) {
  test(`the sender is prefilled, and others are offered (${texts.language})`, async () => {
    const name = `sender-${texts.language}`;
    const account = await service.addAccount({ username: name, name: 'Garden shop' }, 100);
    await addPerson(service, `owner-${name}`, 'owner', account.id);
    const page = await signedIn(
      { language: texts.language },
      { username: `owner-${name}`, password: PASSWORD },
    );
    await page.goto('/send');
    const sender = page.getByRole('combobox', { name: texts.sender });
    await waitFor('a name of the account', async () => (await sender.inputValue()) === 'Garden shop');
    await assertAccessible(page);
    await keepScreenshot(page, `sender-prefilled-${texts.language}`);
    await sender.fill('');
    assert.equal(await sender.inputValue(), '');
    await sender.fill('Roses');
    await page.getByRole('textbox', { name: texts.text, exact: true }).fill('hello');
    await page.getByLabel(texts.phones).fill('0521234577');
    await page.getByRole('button', { name: texts.send, exact: true }).click();
    await page.waitForURL(/messages\/\d+/);
    // The next one begins with the sender of the last one, and offers both.
    await page.goto('/send');
    await waitFor('the last sender', async () => (await sender.inputValue()) === 'Roses');
    await sender.click();
    await page.getByRole('option', { name: 'Garden shop' }).waitFor();
    await page.keyboard.press('Escape');
    // A service that does not check senders has no such step, so none is done by itself.
    await page.goto('/');
    const steps = page.locator('.first-steps li');
    await steps.first().waitFor();
    assert.equal(await steps.count(), 5);
    assert.equal(await steps.filter({ hasText: texts.addSender }).count(), 0);
  });
}

test('a send without a response is sent again by the same button, and is submitted once', async () => {
  const page = await signedIn();
  await composeTo(page, '052-123-4568', 'Only once');
  let lost = 0;
  await page.route('**/v1/sms', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.click();
  await waitFor('the answer to be lost', () => lost === 1);
  await waitFor('the message to be stored', async () => (await onlyOnce()).length > 0);
  await page.getByRole('alert').first().waitFor();
  await send.click();
  await page.getByText('Message accepted.').waitFor();
  assert.equal(lost, 2);
  assert.equal((await onlyOnce()).length, 1);
});

const onlyOnce = () => service.sql`SELECT id FROM messages WHERE recipient = '972521234568'`;

test('a sender is not suggested while a person types one', async () => {
  const page = await signedIn();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/v1/sources*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/send');
  const sender = page.getByRole('combobox', { name: 'Sender' });
  await sender.focus();
  release();
  await page.getByText('this service does not check senders').waitFor();
  assert.equal(await sender.inputValue(), '');
  await page.getByRole('textbox', { name: 'Text', exact: true }).focus();
  await waitFor('the suggestion', async () => (await sender.inputValue()) !== '');
});

test('a message may be sent before its estimate is there', async () => {
  const list = await newList({ phone: '0521239766' });
  const page = await signedIn();
  await page.route('**/v1/sms/estimate', () => {});
  await page.goto(`/send?list=${list}`);
  await page.getByRole('combobox', { name: 'Sender' }).fill('Roses');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('hello');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The recipients and the cost have not been calculated yet.').waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();
});
