import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactListsOf, localPhone } from '../api/v1/support.ts';
import { SOURCE, templateId } from '../channels/chat-api/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';

const { service, signedIn } = await startBrowserTest();
const { newList } = contactListsOf(service);

test('ten thousand contacts are imported, columns are chosen, and bad rows are reported', async () => {
  const bad = new Set([3, 4_711, 9_999]);
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    bad.has(index) ? `Name ${index},not a phone,Haifa` : `Name ${index},${localPhone(index)},Haifa`,
  );
  const file = {
    name: 'clients.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,mobile,town', ...rows].join('\n')),
  };
  const page = await signedIn();
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'New list' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Clients');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await page.getByLabel('Choose a file').setInputFiles(file);
  await page.getByLabel('Content of the column “mobile”').waitFor();
  await page.getByText('If a row appears twice, the last one wins.', { exact: false }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  await page.getByText('9,997').first().waitFor();
  const download = page.waitForEvent('download');
  await page
    .getByRole('link', { name: 'Download report' })
    .or(page.getByRole('button', { name: 'Download report' }))
    .click();
  const report = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of report) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split(/\r?\n/);
  assert.deepEqual(
    lines.slice(1).map((line) => Number(line.split(',')[0])),
    [5, 4_713, 10_001],
  );
  const [{ count }] = await service.sql<[{ count: number }]>`SELECT count(*)::int AS count FROM contacts`;
  assert.equal(count, 9_997);

  await page.getByRole('link', { name: 'Open list' }).first().click();
  await page.getByLabel('Search by number').fill(localPhone(17));
  await page.getByText('Name 17', { exact: true }).waitFor();
});

test('a contact is changed, written to, and their page has what went to them over every channel', async () => {
  const phone = '0521239777';
  const list = await newList({ phone, df1: 'Noa', df2: 'noa@example.com' });
  const page = await signedIn();
  await page.goto(`/contacts/${list}`);
  await page.getByRole('button', { name: `Actions for ${phone}` }).click();
  await page.getByRole('menuitem', { name: 'Edit contact' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Field 1').fill('Noa Levi');
  await keepScreenshot(page, 'contact-edit-en-light');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The contact was changed.').waitFor();
  await page.getByText('Noa Levi', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Send to this list' }).click();
  await page.getByRole('combobox', { name: 'Sender' }).fill('0559876543');
  await page.getByRole('textbox', { name: 'Text' }).fill('To the whole list');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).click();
  await page.getByRole('heading', { name: 'Progress' }).waitFor();

  const post = async (path: string, body: object) => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post('/mail/lists', { name: 'News' });
  await post(`/mail/lists/${id}/users`, { users: [{ email: 'noa@example.com', first_name: 'Noa' }] });
  await post('/mail/campaigns', {
    from: { name: 'The shop', address: 'news@shop.example' },
    subject: 'News',
    text: 'Spring',
    lists: [Number(id)],
  });
  await post('/chat/messages', { source: SOURCE, to: phone, template_id: templateId('plain') });
  await page.goto(`/recipients/${phone}`);
  const messages = page.getByRole('table', { name: 'Everything sent' });
  await messages.getByText('To the whole list').waitFor();
  await messages.getByRole('img', { name: 'Chat', exact: true }).waitFor();
  await messages.getByText('noa@example.com').first().waitFor();
  await page.getByText('Noa Levi', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'News' }).waitFor();
  await keepScreenshot(page, 'recipient-en-light');
  const hebrew = await signedIn({ language: 'he' });
  await hebrew.setViewportSize({ width: 390, height: 844 });
  await hebrew.goto(`/recipients/${phone}`);
  await hebrew.getByText('Noa Levi', { exact: true }).waitFor();
  await assertFits(hebrew);
  await keepScreenshot(hebrew, 'recipient-he-phone');
});

test('a number goes onto the blacklist, is found there, and taken off with a reason', async () => {
  const page = await signedIn();
  await page.goto('/blacklist');
  await page.getByRole('button', { name: 'Add numbers' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Numbers').fill('0521239990\nnobody');
  await dialog.getByRole('button', { name: /^Add/ }).click();
  await page.getByText('nobody').first().waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Remove: / })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Reason').fill('asked on the phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from blacklist' }).click();
  await page.getByText('The blacklist is empty').waitFor();
});

test('an import says what its people agreed to, and how many consents it recorded', async () => {
  const list = await newList();
  const rows = [11, 12, 13].map((index) => `${localPhone(index)},${index === 13 ? '' : '2026-02-01'}`);
  const buffer = Buffer.from(['phone,agreed', ...rows].join('\n'));
  const page = await signedIn({ language: 'he' });
  await page.goto(`/contacts/${list}/import`);
  await page.getByLabel('בחירת קובץ').setInputFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('switch', { name: 'לתעד הסכמה עבור האנשים בקובץ' }).press('Space');
  await page.getByRole('button', { name: 'ייבוא', exact: true }).click();
  await page.getByText('ציינו את שם הטופס').waitFor();
  await page.getByLabel('טופס', { exact: true }).fill('fair');
  await page.getByText('מתוך עמודה', { exact: true }).click();
  await page.getByRole('combobox', { name: 'העמודה עם התאריך' }).click();
  await page.getByRole('option', { name: 'agreed', exact: true }).click();
  await assertAccessible(page);
  await keepScreenshot(page, 'import-consent-he');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'import-consent-he-390');
  await page.getByRole('button', { name: 'ייבוא', exact: true }).click();
  await page.getByText('הסכמות שתועדו').waitFor();
  const [row] = await service.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM consents WHERE source = 'import'`;
  assert.equal(row!.count, 2);
});

test('one file becomes contacts and users of a mailing list, who are one person with everything about them', async () => {
  await newList({ phone: '0521239801', df1: 'Dana' });
  const page = await signedIn();
  await page.goto('/recipients');
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'summer fair.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'mobile,e-mail,first name,town',
        '0521239801,dana@example.com,Dana,Haifa',
        '0521239802,nobody,Ido,Lod',
        'none,lia@example.com,Lia,Akko',
      ].join('\n'),
    ),
  });
  const row = (of: string) => page.getByRole('row').filter({ hasText: of });
  await row('dana@example.com').getByText('Contact list: Added').waitFor();
  await row('Ido').getByText('Mailing list: Skipped: Not an email address').waitFor();
  await row('Lia').getByText('Contact list: Skipped: Not a phone number').waitFor();
  assert.equal(await page.getByLabel('Contact list: name').inputValue(), 'summer fair');
  await page.getByLabel('Contact list: name').fill('');
  await page.getByText('Enter the name of the new list.').waitFor();
  await page.getByLabel('Contact list: name').fill('Summer fair');
  await page.getByLabel('Mailing list: name').fill('Summer news');
  await assertAccessible(page);
  await keepScreenshot(page, 'import-people-en-light');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'Into “Summer fair”' }).waitFor();
  await page.getByRole('link', { name: 'Into “Summer news”' }).waitFor();
  await page.getByText('Done', { exact: true }).nth(1).waitFor();

  await page.goto('/recipients');
  await page.getByLabel('Search recipients').fill('dana@');
  const found = page.getByRole('row').filter({ hasText: 'dana@example.com' });
  await found.getByRole('link', { name: 'Summer fair' }).waitFor();
  await found.getByRole('link', { name: 'Summer news' }).waitFor();
  await page.getByText('0521239802').waitFor({ state: 'detached' });
  await keepScreenshot(page, 'recipients-en-light');
  await found.getByRole('link', { name: '0521239801' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dana' }).waitFor();
  await page.getByRole('link', { name: 'Summer news' }).waitFor();
  await page.getByText('No consents are recorded.').waitFor();
  await page.getByText('Nothing was sent yet').waitFor();
  await assertAccessible(page);

  // The same file again, into one of the lists: the rows are known.
  await page.getByRole('link', { name: 'Summer fair' }).click();
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'again.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone,first name\n0521239801,Dana\n0521239803,Zoe\n'),
  });
  await row('Dana').getByText('In the list, updated').waitFor();
  await page.getByText('Leave unchanged').click();
  await row('Dana').getByText('In the list, unchanged').waitFor();
  await row('Zoe').getByText('Added').waitFor();
});
