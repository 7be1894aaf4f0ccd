import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { composeTo } from './forms.ts';

/* What the composer of SMS shows and offers: fields by name, tests, and calls. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

const words = {
  en: {
    text: 'Text',
    sender: 'Sender',
    lists: 'Contact lists',
    insert: 'Field',
    preview: 'Preview on a phone',
    next: 'Next recipient',
    previous: 'Previous recipient',
    send: 'Send',
    noField: 'The list has no field {{Citi}}. Insert fields with the Field button.',
    testPhone: 'Your phone number',
    test: 'Send test',
    toPhone: 'Send to this phone',
    call: 'Text-to-speech call',
    noType: 'Choose a delivery.',
    code: 'Your code is {{Code}}',
    steps: ['Submitted to the carrier', 'Delivered'],
  },
  he: {
    text: 'טקסט',
    sender: 'מזהה שולח',
    lists: 'רשימות אנשי קשר',
    insert: 'שדה',
    preview: 'תצוגה מקדימה בטלפון',
    next: 'הנמען הבא',
    previous: 'הנמען הקודם',
    send: 'שליחה',
    noField: 'אין ברשימה שדה {{Citi}}. הוסיפו שדות בעזרת הכפתור ״שדה״.',
    testPhone: 'מספר הטלפון שלכם',
    test: 'שליחת בדיקה',
    toPhone: 'שליחה לטלפון הזה',
    call: 'הקראה בטלפון',
    noType: 'בחרו אופן שליחה.',
    code: 'הקוד שלך הוא {{קוד}}',
    steps: ['נשלחה לספק', 'נמסרה'],
  },
} as const;

for (const language of ['en', 'he'] as const) {
  const t = words[language];

  test(`fields have the names of their list, and a test fills them in, in ${language}`, async () => {
    const name = `Guests ${language}`;
    const { id } = await api.post<{ id: string }>('/contact-lists', { name, columns: ['First', 'City'] });
    await api.post(`/contact-lists/${id}/contacts`, {
      contacts: [
        { phone: '0521230060', fields: ['Dana', 'Haifa'] },
        { phone: '0521230064', fields: ['Noam', 'Eilat'] },
      ],
    });
    const page = await signedIn({ language });
    await page.goto('/send');
    await page.getByRole('combobox', { name: t.sender }).fill('0559876543');
    await page.getByRole('radiogroup').getByText(t.lists).click();
    await page.getByRole('combobox', { name: t.lists }).click();
    await page.getByRole('option', { name }).click();
    const text = page.getByRole('textbox', { name: t.text, exact: true });
    await text.fill('Welcome to ');
    await page.getByRole('button', { name: t.insert, exact: true }).click();
    await page.getByRole('menuitem', { name: 'City' }).click();
    assert.equal(await text.inputValue(), 'Welcome to {{City}}');
    await page.locator('.placeholder-chips mark').getByText('{{City}}').waitFor();
    const preview = page.getByRole('region', { name: t.preview });
    await preview.getByText('Welcome to Haifa').waitFor();
    await page.getByRole('button', { name: t.next }).click();
    await preview.getByText('Welcome to Eilat').waitFor();
    await page
      .getByRole('status')
      .getByText(/052-?123-?0064/)
      .waitFor();
    assert.equal(await page.getByRole('button', { name: t.next }).isDisabled(), true);
    await page.getByRole('button', { name: t.previous }).click();
    await preview.getByText('Welcome to Haifa').waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `composer-fields-${language}-light`);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await page.setViewportSize({ width: 1280, height: 860 });

    const own = language === 'en' ? '0521230061' : '0521230062';
    await page.getByRole('button', { name: t.test, exact: true }).click();
    await page.getByRole('combobox', { name: t.testPhone }).fill(own);
    await assertAccessible(page);
    await keepScreenshot(page, `composer-test-${language}-light`);
    await page.getByRole('button', { name: t.toPhone }).click();
    const [test] = await waitFor('the test', async () => {
      const messages = await service.phone(own);
      return messages.length > 0 && messages;
    });
    assert.equal(test!.text, 'Welcome to Haifa');
    const { messages } = await api.get<{ messages: { id: string }[] }>(`/messages?phone=${own}`);
    await page.goto(`/messages/${messages[0]!.id}`);
    const timeline = page.locator('.mantine-Timeline-item');
    for (const step of t.steps) await timeline.getByText(step, { exact: true }).waitFor();
    await keepScreenshot(page, `message-steps-${language}-light`);
    await page.goto('/send');
    await page.getByRole('button', { name: t.test, exact: true }).click();
    await waitFor(
      'the number is remembered',
      async () => (await page.getByRole('combobox', { name: t.testPhone }).inputValue()) === own,
    );
  });

  test(`a name that is no field of the list is refused, in ${language}`, async () => {
    const page = await signedIn({ language });
    await page.goto('/send');
    await page.getByRole('combobox', { name: t.sender }).fill('0559876543');
    await page.getByRole('textbox', { name: t.text, exact: true }).fill('Welcome to {{Citi}}');
    await page.getByRole('button', { name: t.send, exact: true }).click();
    await page.getByText(t.noField).first().waitFor();
  });

  test(`a call has no delivery until one is chosen, in ${language}`, async () => {
    const page = await signedIn({ language });
    await page.goto('/send');
    await page.getByRole('combobox', { name: t.sender }).fill('0559876543');
    await page.getByRole('textbox', { name: t.text, exact: true }).fill('Hello');
    await page.getByLabel(t.call).check({ force: true });
    assert.equal(await page.locator('input[type=radio][value="3"]').isChecked(), false);
    await page.getByRole('button', { name: t.send, exact: true }).click();
    await page.getByText(t.noType).first().waitFor();
    await keepScreenshot(page, `composer-call-${language}-light`);
  });

  test(`a one-time code has the same placeholders, in ${language}`, async () => {
    const page = await signedIn({ language });
    await page.goto('/send?channel=code');
    const text = page.getByRole('textbox', { name: t.text, exact: true });
    await text.waitFor();
    assert.equal(await text.inputValue(), t.code);
  });
}

test('placeholders reach the service in its own form', async () => {
  const page = await signedIn();
  await composeTo(page, '0521230063', 'See');
  await page.getByRole('button', { name: 'Short link' }).click();
  await page.getByLabel('Target URL').fill('https://example.com/spring');
  await page.getByRole('button', { name: 'Insert' }).click();
  const text = page.getByRole('textbox', { name: 'Text' });
  await waitFor('the link in the text', async () => (await text.inputValue()) === 'See {{Link 1}}');
  const request = page.waitForRequest(
    (one) => one.method() === 'POST' && new URL(one.url()).pathname === '/v1/sms',
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal(((await request).postDataJSON() as { message: string }).message, 'See [link-1]');
});

for (const [language, t] of Object.entries({
  en: {
    second: 'Second message',
    chat: 'Send by chat',
    within: 'When not delivered within',
    hour: '1 hour',
    template: 'Template of the second message',
  },
  he: {
    second: 'הודעה שנייה',
    chat: 'שליחה בצ׳אט',
    within: 'אם לא נמסרה בתוך',
    hour: 'שעה',
    template: 'התבנית של ההודעה השנייה',
  },
} as const)) {
  test(`a second message by another channel is part of the request, in ${language}`, async () => {
    const page = await signedIn({ language: language as 'en' | 'he' });
    await page.goto('/send');
    const { sender, text } = words[language as 'en' | 'he'];
    await page.getByRole('combobox', { name: sender }).fill('0559876543');
    await page.getByRole('textbox', { name: text, exact: true }).fill('See');
    const choose = async (name: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose(t.second, t.chat);
    await choose(t.within, t.hour);
    const estimate = page.waitForRequest(
      (one) => one.url().endsWith('/v1/sms/estimate') && (one.postData() ?? '').includes('template_id'),
    );
    await choose(t.template, /plain/);
    const { fallback } = (await estimate).postDataJSON() as { fallback: object };
    assert.deepEqual(fallback, {
      channel: 'chat',
      after_minutes: 60,
      template_id: '1_972550000001_plain',
      source: '972550000001',
    });
    await assertAccessible(page);
    await keepScreenshot(page, `composer-fallback-${language}-light`);
  });
}

test('the list of campaigns says which sends are second messages', async () => {
  const fallback = { channel: 'chat', source: '972550000001', template_id: '1_972550000001_plain' };
  // Sends to one recipient are not in the list.
  const phones = ['0521230001', '0521240001'];
  const sent = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: '0559876543', message: 'See', phones, fallback },
    202,
  );
  const second = await waitFor('the second message is sent', async () => {
    await service.advance(5);
    const { campaigns } = await api.get<{ campaigns: { id: string; fallback_for: string | null }[] }>(
      '/campaigns',
    );
    return campaigns.find(({ fallback_for }) => fallback_for === sent.shipment_id);
  });
  const page = await signedIn();
  await page.goto('/campaigns');
  const marked = page.getByRole('row').filter({ hasText: 'second messages' });
  await marked.locator(`a[href="/campaigns/${second.id}"]`).waitFor();
  assert.equal(await marked.count(), 1);
});
