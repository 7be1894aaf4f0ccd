import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../events/support.ts';
import { keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest();
const receiver = await startReceiver();

test('a template is made and approved, sent, its button is pressed, and the webhook tells of it', async () => {
  const page = await signedIn();
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
  await page
    .getByText(/^whsec_/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Button pressed' }).click();
  await page.keyboard.press('Tab');
  await keepScreenshot(page, 'webhook-edit-en-light');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint was changed.').waitFor();
  await page.getByText(/Webhook: signed JSON · Button pressed/).waitFor();
  await page.goto('/messages');
  await page.getByRole('link', { name: 'Export CSV' }).waitFor();
  await keepScreenshot(page, 'messages-export-en-light');

  await page.goto('/templates/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('delivery_day');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello {{1}}, is Sunday good?');
  await page.getByLabel('Example of {{1}}').fill('Dana');
  await page.getByRole('button', { name: 'Add button' }).click();
  await page.getByRole('menuitem', { name: 'Quick reply' }).click();
  await page.getByLabel('Button text').fill('Yes, Sunday');
  await page.getByText('Hello Dana, is Sunday good?').first().waitFor();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Template submitted.').waitFor();
  await service.advance(5);
  await page.getByText('Approved', { exact: true }).first().waitFor();

  await page.goto('/send?channel=chat');
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: /delivery_day/ }).click();
  await page.getByLabel('Variable {{1}}').fill('Noa');
  await page.getByLabel('Phone numbers').fill('0521234567');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Message accepted.').waitFor();

  const received = page.getByRole('region', { name: 'Preview on a phone' });
  await received.getByText('Hello Noa, is Sunday good?').waitFor();
  await received.getByText('Yes, Sunday').waitFor();
  await keepScreenshot(page, 'message-chat-en-light');

  await page.goto('/handsets');
  await page.getByLabel('Phone number').fill('0521234567');
  await page.getByRole('button', { name: 'Add phone' }).click();
  const phone = page.getByRole('region', { name: /052-?123-?4567/ });
  await phone
    .getByRole('tab', { name: /Chat/ })
    .or(phone.getByRole('button', { name: /Chat/ }))
    .first()
    .click();
  await phone.getByText('Hello Noa, is Sunday good?').first().click();
  await phone.getByRole('button', { name: 'Yes, Sunday' }).waitFor();
  await keepScreenshot(page, 'handset-chat-en-light');
  await phone.getByRole('button', { name: 'Yes, Sunday' }).click();
  const told = await waitFor('the webhook', () =>
    receiver.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'chat.button'),
  );
  assert.equal(told.data.body, 'Yes, Sunday');

  await page.goto('/webhooks');
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: /^Details: Button pressed/ }).click();
  const details = page.getByRole('dialog', { name: 'Button pressed' });
  await details.getByText('Delivered', { exact: true }).waitFor();
  await details.getByText(/"Yes, Sunday"/).waitFor();
  await keepScreenshot(page, 'webhook-event-en-light');
});

test('a delivery that waits for its next attempt is tried at once, and what comes of it is seen', async () => {
  const failing = await startReceiver();
  failing.answer = (response) => response.writeHead(500).end('no room');
  await service.call('json', 'push_url', { type: 'blacklist', url: failing.url });
  await service.call('json', 'addNumBL', { phones: { phone: ['0521239998'] } });
  // The next attempt is in seconds: it would come by itself.
  await waitFor('the first attempt', async () => {
    const { count } =
      await service.sql`UPDATE deliveries SET next_at = next_at + 3600000 WHERE state = 'retrying'`;
    return count === 1;
  });
  const page = await signedIn();
  await page.goto('/webhooks');
  await page.getByRole('link', { name: failing.url }).click();
  const details = page.getByRole('dialog', { name: 'Number blacklisted' });
  await page
    .getByRole('button', { name: /^Details: Number blacklisted/ })
    .first()
    .click();
  await details.getByText('Retrying', { exact: true }).waitFor();
  await keepScreenshot(page, 'webhook-retry-en-light');
  failing.answer = (response) => response.end();
  await details.getByRole('button', { name: 'Retry now' }).click();
  await details.getByText('Delivered after a retry').waitFor();
  assert.equal(failing.received.length, 2);
});

test('what is missing in a template is said at its fields, and the first is brought into view', async () => {
  const page = await signedIn();
  await page.setViewportSize({ width: 1_000, height: 500 });
  await page.goto('/templates/new');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  // The browser would show its own bubble at the first field, in its own language, and nothing at the others.
  await page.locator('[data-path=name][aria-invalid=true]:focus').waitFor();
  assert.equal(await text.getAttribute('aria-invalid'), 'true');
  const header = (await page.getByRole('banner').boundingBox())!;
  const { y } = (await name.boundingBox())!;
  assert.ok(y > header.y + header.height && y < 500, `the field begins at ${y}`);
});
