import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCE, templateId } from '../channels/chat-api/support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest();
const receiver = await startReceiver();

test('a template is created, approved and sent, its button is pressed, and the webhook reports it', async () => {
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

test('a delivery that waits for its next attempt is retried immediately, and its result is shown', async () => {
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

test('what the platform says of a business account, its number and a template is shown, in both languages', async () => {
  const { sql, demo, appContext } = service;
  const now = appContext.clock.now();
  const [portfolio] = await sql<{ id: number }[]>`
    SELECT id FROM chat_portfolios WHERE account_id = ${demo.id}`;
  const restrictions = [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: now + 86_400_000 }];
  const stand = (
    topic: string,
    phone: string,
    word: string,
    reason = '',
    more: readonly object[] = [],
  ) => sql`
    INSERT INTO chat_standings (portfolio_id, phone, topic, account_id, word, reason, restrictions, told_at)
    VALUES (${portfolio!.id}, ${phone}, ${topic}, ${demo.id}, ${word}, ${reason},
      ${JSON.stringify(more)}::text::jsonb, ${now})`;
  await stand('restriction', '', 'ACCOUNT_RESTRICTION', '', restrictions);
  await stand('violation', '', 'SPAM');
  await stand('quality', SOURCE, 'RED');
  await stand('name', SOURCE, 'REJECTED', 'NAME_NO_TEST_PHONE');
  await sql`
    UPDATE chat_templates SET quality = 'YELLOW', quality_told_at = ${now}, next_category = 'MARKETING',
      category_changes_at = ${now + 86_400_000}
    WHERE account_id = ${demo.id} AND template_id = ${templateId('replies')}`;
  // The service looks at what others store once a second.
  await waitFor('the service knows it', async () => {
    const response = await fetch(`${service.url}/v1/chat/numbers`, {
      headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    });
    const { portfolios } = (await response.json()) as { portfolios: { problems: object[] }[] };
    return portfolios[0]!.problems.length === 4;
  });
  const texts = {
    en: [
      'Templates cannot be sent. Replies within 24 hours still go out.',
      'Quality rating: Low',
      'Quality rating: Medium',
      'The platform will change the category to “Marketing”',
      'The chat platform reports a problem with a portfolio',
    ],
    he: [
      'אי אפשר לשלוח תבניות. תשובות בתוך 24 שעות עדיין נשלחות.',
      'דירוג איכות: נמוך',
      'דירוג איכות: בינוני',
      'הפלטפורמה תשנה את הקטגוריה ל"שיווק"',
      'פלטפורמת הצ׳אט מדווחת על בעיה בתיק עסקי',
    ],
  } as const;
  await addPerson(service, 'platform-operator', 'operator', null);
  for (const language of ['en', 'he'] as const) {
    const [restriction, low, medium, category, alert] = texts[language];
    const page = await signedIn({ language });
    await page.goto('/templates');
    await page.getByText(restriction).waitFor();
    await page.getByText(low, { exact: true }).waitFor();
    await page.getByText(medium, { exact: true }).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `templates-standing-${language}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `templates-standing-${language}-phone`);
    await page.goto(`/templates/${templateId('replies')}`);
    await page.getByText(category).waitFor();
    await assertFits(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await keepScreenshot(page, `template-standing-${language}`);
    const operator = await signedIn({ language }, { username: 'platform-operator', password: PASSWORD });
    await operator.goto('/');
    await operator.getByRole('link', { name: alert }).click();
    await operator.waitForURL(/operator\/chat$/);
    await operator.getByText(restriction).waitFor();
    await operator.getByText(low, { exact: true }).waitFor();
    await assertAccessible(operator);
    await keepScreenshot(operator, `operator-standing-${language}`);
  }
});
