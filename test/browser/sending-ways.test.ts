import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactListsOf, manyRows } from '../api/v1/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';
import { composeTo } from './forms.ts';

/* The rarer ways of sending in the console, and what is seen of a message later; the first way: sending.test.ts. */

const { service, signedIn } = await startBrowserTest();
const { newList, importFile } = contactListsOf(service);

test('what is composed is shown as the first contact of a list gets it', async () => {
  await newList({ phone: '0521230050', df1: 'Dana' });
  const page = await signedIn();
  await page.goto('/send');
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello [DYNAMIC_FIELD1], come in');
  await page.getByRole('radiogroup').getByText('Contact lists').click();
  await page.getByRole('combobox', { name: 'Contact lists' }).click();
  await page.getByRole('option').first().click();
  const phone = page.getByRole('region', { name: 'Preview on a phone' });
  await phone.getByText('Hello Dana, come in').waitFor();
});

test('what the service refuses is said at its field in both languages, and the text is still counted', async () => {
  const recipients = '052-123-4567\n+1 415 555 2671';
  const page = await signedIn();
  await composeTo(page, recipients, 'Hello');
  // At the field, and where the estimate would stand.
  const refusal = page.getByText(/1 415 555 2671.*: This is a number of another country/).first();
  await refusal.waitFor();
  await page.getByText('1 part', { exact: true }).waitFor();
  await keepScreenshot(page, 'send-refused-en-light');
  await page.getByLabel('Allow numbers of other countries').check();
  await refusal.waitFor({ state: 'detached' });

  const hebrew = await signedIn({ language: 'he' });
  await hebrew.goto('/send');
  await hebrew.getByLabel('טקסט', { exact: true }).fill('שלום');
  await hebrew.getByLabel('מספרי טלפון').fill(recipients);
  await hebrew
    .getByText(/זהו מספר של מדינה אחרת/)
    .first()
    .waitFor();
  await keepScreenshot(hebrew, 'send-refused-he-light');
});

test('a one-time code is composed under Send, read at the phone, and checked, in both languages', async () => {
  const word = {
    en: { command: 'Search pages, messages and actions', find: 'one-time', action: 'Send a one-time code' },
    he: { command: 'חיפוש עמודים, הודעות ופעולות', find: 'חד־פעמי', action: 'שליחת קוד חד־פעמי' },
  };
  const labels = {
    en: {
      phone: 'Phone number',
      sender: 'Sender',
      send: 'Send',
      code: 'Code',
      check: 'Check',
      again: 'Send another code',
    },
    he: {
      phone: 'מספר טלפון',
      sender: 'מזהה שולח',
      send: 'שליחה',
      code: 'קוד',
      check: 'בדיקה',
      again: 'שליחת קוד נוסף',
    },
  };
  const told = {
    en: ['The code is wrong, expired or used.', 'The code is right. It cannot be used again.'],
    he: ['הקוד שגוי, פג תוקפו או כבר נוצל.', 'הקוד נכון. אי אפשר להשתמש בו שוב.'],
  };
  const shown = { en: 'Your code is 123456', he: 'הקוד שלך הוא 123456' };
  for (const [language, phone] of [
    ['en', '0521238888'],
    ['he', '0521238889'],
  ] as const) {
    const t = labels[language];
    const page = await signedIn({ language });
    await page.goto('/messages');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: word[language].command }).fill(word[language].find);
    await page.getByRole('option', { name: word[language].action }).click();
    await page.waitForURL(/\/send\?channel=code$/);
    const send = page.getByRole('button', { name: t.send, exact: true });
    await send.click();
    // What is missing is said at its field.
    await page
      .getByText(language === 'en' ? 'Enter one phone number.' : 'הזינו מספר טלפון אחד.')
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: t.sender }).fill('0559876543');
    await page.getByLabel(t.phone, { exact: true }).fill(phone);
    await page.locator('.handset').getByText(shown[language]).waitFor();
    await page.locator('.finish-cost').waitFor();
    await keepScreenshot(page, `code-send-${language}-light`);
    await send.click();
    await page.getByLabel(t.code, { exact: true }).waitFor();
    const sent = await waitFor('the code', async () => (await service.phone(phone))[0]);
    const code = /\d{6}/.exec(sent.text)![0];
    for (const [index, typed] of [code === '111111' ? '222222' : '111111', code].entries()) {
      await page.getByLabel(t.code, { exact: true }).fill(typed);
      await page.getByRole('button', { name: t.check, exact: true }).click();
      await page.getByText(told[language][index]!).waitFor();
    }
    await assertAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await page.getByRole('button', { name: t.again }).click();
    await send.waitFor();
    await assertFits(page);
    await keepScreenshot(page, `code-send-${language}-phone`);
  }
});

test('over the limit of codes to a phone, the composer shows the refusal and sends nothing', async () => {
  const page = await signedIn();
  await page.goto('/codes');
  await page.getByRole('link', { name: 'Send code' }).click();
  await page.getByRole('combobox', { name: 'Sender' }).fill('0559876543');
  const phone = '0521238887';
  for (let count = 0; count < 5; count++) {
    const sent = await service.call('json', 'send_otp', { phone, source: '0559876543' });
    assert.equal(sent.status, 0, sent.message);
  }
  await page.getByLabel('Phone number', { exact: true }).fill(phone);
  await page.getByText('This number got too many codes. Try again later.').waitFor();
  const codes = () => service.sql`SELECT id FROM otp_sends WHERE phone = '972521238887'`;
  assert.equal((await codes()).length, 5);
});

test('a message that failed is found, and says why and what to do', async () => {
  const page = await signedIn();
  await composeTo(page, '0521230001', 'Nobody reads this');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Message accepted.').waitFor();
  await page.goto('/messages');
  await page.getByRole('searchbox', { name: 'Search term' }).fill('0521230001');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('cell', { name: 'Failed' }).first().waitFor();
  await page
    .getByRole('row', { name: /0521230001|052-123-0001/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 2, name: /Message to/ }).waitFor();
  await page.getByText('Submitted to the carrier').waitFor();
  const why = page.getByRole('note').or(page.getByRole('alert'));
  assert.ok((await why.first().innerText()).length > 40, 'it is said in words');
  await page.getByRole('link', { name: 'Send again' }).click();
  await page.waitForURL(/\/send\?again=/);
  await page.getByRole('textbox', { name: 'Text' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'Nobody reads this');
  assert.equal(await page.getByLabel('Phone numbers').inputValue(), '0521230001');
});

test('the last page of found messages has no next page', async () => {
  const failed = async () => {
    const [row] = await service.sql<{ count: number }[]>`
      SELECT count(*) FILTER (WHERE final_at IS NOT NULL)::int AS count FROM messages WHERE recipient LIKE '%0001'`;
    return row!.count;
  };
  const PAGE = 50;
  const before = await failed();
  const phone = Array.from({ length: PAGE - before }, (_, index) => `052${100 + index}0001`);
  const sent = await service.call('json', 'sms', {
    source: '0559876543',
    destinations: { phone },
    message: 'Nobody reads this',
  });
  assert.equal(sent.status, 0, sent.message);
  await waitFor('all have failed', async () => (await failed()) === PAGE);
  const page = await signedIn();
  await page.goto('/messages?state=failed');
  await page
    .getByRole('cell', { name: 'Failed' })
    .nth(PAGE - 1)
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0);
  const tall = `[...document.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().height > 42).length`;
  assert.equal(await page.evaluate(tall), 0, 'a row has one line');
  await keepScreenshot(page, 'messages-failed-en-light');
  const hebrew = await signedIn({ language: 'he' });
  await hebrew.goto('/messages?state=failed');
  await hebrew
    .getByRole('cell', { name: 'נכשלה' })
    .nth(PAGE - 1)
    .waitFor();
  assert.equal(await hebrew.evaluate(tall), 0, 'a row has one line');
  await keepScreenshot(hebrew, 'messages-failed-he-light');
});

test('the dates of a filter are shown when they are chosen, in both languages', async () => {
  for (const [language, period, choose, from] of [
    ['en', 'Period', 'Choose dates', 'From'],
    ['he', 'תקופה', 'בחירת תאריכים', 'מתאריך'],
  ] as const) {
    const page = await signedIn({ language });
    await page.goto('/messages');
    const chip = page.getByRole('search').getByRole('button', { name: period });
    await chip.first().click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel(from, { exact: true }).count(), 0);
    await dialog.getByLabel(period).selectOption(choose);
    await dialog.getByLabel(from, { exact: true }).fill('2026-01-01');
    await page.waitForURL(/from=2026-01-01/);
    await page.reload();
    await chip.first().click();
    await dialog.getByLabel(from, { exact: true }).waitFor();
  }
});

test('a campaign runs, is paused and resumed, and ends with its outcomes and an export', async () => {
  const list = await newList();
  await importFile(list, manyRows(3_000));
  const page = await signedIn();
  const sent = await service.call('json', 'sms', {
    source: '0559876543',
    destinations: { cl_id: list },
    message: 'To all of you',
    campaign_name: 'To pause',
    timing: '31/12/36 10:00',
  });
  assert.equal(sent.status, 0, sent.message);
  const shipment = sent.fields.shipment_id as string;
  await page.goto(`/campaigns/${shipment}`);
  await page.getByText('Scheduled').first().waitFor();
  await page.getByRole('button', { name: /^Pause/ }).click();
  await page.getByText('Paused', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: /^Resume/ }).click();
  await page.getByText('Scheduled').first().waitFor();
  await page.getByRole('button', { name: /^Cancel/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep sending' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Scheduled').first().waitFor();
  await page.getByRole('button', { name: /^Cancel/ }).click();
  await dialog.getByRole('button', { name: 'Cancel campaign' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  // The same recipients are counted when it is cancelled, on its page and in the list, and what it cost is what it has cost.
  await page.getByText('Recipients without a message: 3,000.').waitFor();
  await page.getByText('3,000 of 3,000').waitFor();
  await page.getByText(/^3,\d{3} credits refunded$/).waitFor();
  await keepScreenshot(page, 'campaign-cancelled-en-light');
  await page.goto('/campaigns');
  await page.getByRole('row', { name: 'To pause' }).getByText('3,000 of 3,000').waitFor();
  await page
    .getByRole('row', { name: 'To pause' })
    .getByText(/^3,\d{3} credits refunded$/)
    .waitFor();

  const { fields } = await service.call('json', 'sms', {
    source: '0559876543',
    destinations: { cl_id: list },
    message: 'To all of you',
    campaign_name: 'To watch',
  });
  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'To watch' }).click();
  await page.getByRole('link', { name: 'Open page' }).click();
  // Three of the endings that fail are among the numbers, and one that is never told of.
  await waitFor('the campaign has ended', async () => {
    const [row] = await service.sql<{ open: number }[]>`
      SELECT count(*) FILTER (WHERE handed_at IS NULL AND final_at IS NULL)::int AS open FROM messages
      WHERE shipment_id = ${Number(fields.shipment_id)} HAVING count(*) = 3000`;
    return row?.open === 0;
  });
  await page.getByText('Finished', { exact: true }).first().waitFor();
  const download = page.waitForEvent('download');
  await page
    .getByRole('link', { name: 'Export CSV' })
    .or(page.getByRole('button', { name: 'Export CSV' }))
    .click();
  assert.match((await download).suggestedFilename(), /\.csv$/);
});
