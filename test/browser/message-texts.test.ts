import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { SOURCE, templateId } from '../channels/chat-api/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { newPhones } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';

/* The list of messages shows what recipients saw: the text of a template with its values, and the subject of an email. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);

for (const { language, dana, code } of [
  { language: 'en', dana: 'Dana', code: '1234' },
  { language: 'he', dana: 'דנה', code: '5678' },
] as const) {
  test(`a template is shown with its text, and an email with its subject (${language})`, async () => {
    const { body } = await api.post<{ body: string }>(
      '/chat/messages',
      { source: SOURCE, to: '972521230077', template_id: templateId('two'), variables: { 1: dana, 2: code } },
      202,
    );
    const list = await api.post<{ id: string }>('/mail/lists', { name: `Readers ${language}` });
    await api.post(`/mail/lists/${list.id}/users`, {
      users: [{ email: `dana-${language}@example.com`, first_name: dana }],
    });
    await api.post(
      '/mail/campaigns',
      {
        from: { name: 'The shop', address: 'news@shop.example' },
        subject: 'Spring, {{FirstName|friend}}',
        text: 'Spring is here.',
        lists: [list.id],
      },
      202,
    );
    const page = await signedIn({ language });
    await page.goto('/messages?channel=chat');
    await page.getByRole('cell').getByText(body, { exact: true }).first().waitFor();
    await keepScreenshot(page, `messages-template-${language}`);
    await page.goto('/messages?channel=mail');
    await page.getByRole('cell').getByText(`Spring, ${dana}`, { exact: true }).first().waitFor();
    await assertFits(page);
    await keepScreenshot(page, `messages-mail-${language}`);
  });
}

const MIN_TOUCH_PX = 48;

for (const { language, sms, to, accepted } of [
  { language: 'en', sms: 'SMS', to: 'To', accepted: 'Accepted' },
  { language: 'he', sms: 'SMS', to: 'אל', accepted: 'התקבלה' },
] as const) {
  test(`on a phone a row of messages has two lines, and opens wherever it is touched (${language})`, async () => {
    const phone = language === 'en' ? '0521230141' : '0521230142';
    const text = `שלום דנה, ההזמנה מוכנה לאיסוף עד יום חמישי בערב. Details at the desk of the shop, ${language}.`;
    await api.post('/sms', { source: 'Shop', phones: [phone], message: text }, 202);
    const page = await signedIn({ language, viewport: { width: 390, height: 844 } });
    await page.goto(`/messages?q=${phone}`);
    const row = page.getByRole('row').filter({ hasText: phone });
    const boxOf = async (part: Locator) => (await part.boundingBox())!;
    const whole = await boxOf(row);
    assert.ok(whole.height >= MIN_TOUCH_PX && whole.height < 2 * MIN_TOUCH_PX, String(whole.height));
    const place = (name: string) => row.locator(`[data-place=${name}]`);
    const [status, recipient, time] = await Promise.all(
      ['start', 'title', 'end'].map((one) => boxOf(place(one))),
    );
    const [content, channel] = await Promise.all([boxOf(row.getByText(text)), boxOf(place('mark'))]);
    // Status, recipient and time in the order of the language; below them the text, in one line, and the channel at its end.
    const startsOf = [status!, recipient!, time!].map(({ x, width }) =>
      language === 'en' ? x : -(x + width),
    );
    assert.deepEqual(
      startsOf,
      startsOf.toSorted((one, other) => one - other),
    );
    for (const one of [status!, recipient!, time!]) assert.ok(one.y + one.height <= content.y + 1);
    assert.ok(content.height < MIN_TOUCH_PX / 2, String(content.height));
    const apart =
      language === 'en' ? channel.x - (content.x + content.width) : content.x - channel.x - channel.width;
    assert.ok(apart >= 0, String(apart));

    // It stays a table for screen readers.
    await row.getByRole('cell', { name: sms, exact: true }).waitFor();
    for (const name of [to, accepted])
      assert.equal(await page.getByRole('columnheader', { name, exact: true }).count(), 1);
    await assertAccessible(page);
    await assertFits(page);
    await row.scrollIntoViewIfNeeded();
    await keepScreenshot(page, `messages-two-lines-${language}`);
    const { x, y, width, height } = await boxOf(row);
    await page.mouse.click(x + width / 2, y + height - 4);
    await page.waitForURL(/\/messages\/\d+$/);
  });
}

for (const { language, name, unnamed } of [
  { language: 'en', name: 'Autumn sale', unnamed: 'Messages without a campaign name' },
  { language: 'he', name: 'מבצע סתיו', unnamed: 'הודעות ללא שם קמפיין' },
] as const) {
  test(`the wallet and the export name campaigns (${language})`, async () => {
    const sms = { source: 'Shop', message: 'hello' };
    const { shipment_id: id } = await api.post<{ shipment_id: string }>(
      '/sms',
      { ...sms, phones: newPhones(2), campaign_name: name },
      202,
    );
    await api.post('/sms', { ...sms, phones: newPhones(1) }, 202);
    const page = await signedIn({ language });
    await page.goto('/wallet');
    await page.getByRole('link', { name: unnamed }).first().waitFor();
    const link = page.getByRole('link', { name }).first();
    assert.equal(await link.getAttribute('href'), `/campaigns/${id}`);
    await assertFits(page);
    await keepScreenshot(page, `wallet-campaigns-${language}`);
    const csv = await (await api.fetch('GET', `/messages.csv?shipment_id=${id}`)).text();
    const [header, ...rows] = csv.trim().split('\r\n');
    assert.match(header!, /,shipment_id,campaign_name$/);
    assert.equal(rows.length, 2);
    for (const row of rows) assert.ok(row.endsWith(`,${id},${name}`), row);
  });
}
