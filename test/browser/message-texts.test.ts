import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../api/v1/calls.ts';
import { SOURCE, templateId } from '../channels/chat-api/support.ts';
import { assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
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
