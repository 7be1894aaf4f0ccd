import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { newPhones } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

// A test keeps drafts from being saved.
const { service, signedIn } = await startBrowserTest({}, /net::ERR_FAILED/);

interface Draft {
  readonly id: number;
  readonly title: string;
  readonly version: number;
  readonly content: string;
}

const drafts = () => service.sql<Draft[]>`SELECT id, title, version, content FROM drafts ORDER BY id`;
const saved = (text: string) =>
  waitFor(`a draft with ${text}`, async () => (await drafts()).find(({ content }) => content.includes(text)));
const write = (page: Page, text: string) => page.getByRole('textbox', { name: 'Text' }).fill(text);

test('typed content is saved as a draft, opens elsewhere, and is deleted after sending', async () => {
  const page = await signedIn();
  await page.goto('/send');
  await page.getByRole('combobox', { name: 'Sender' }).fill('0559876543');
  await page.getByLabel('Phone numbers').fill('052-111-2222');
  await write(page, 'Half a thou');
  await page.getByText('Draft saved').waitFor();
  await saved('Half a thou');
  await page.waitForURL(/draft=\d+/);

  const hebrew = await signedIn({ language: 'he' });
  await hebrew.goto('/campaigns');
  await hebrew.getByRole('heading', { name: 'טיוטות' }).waitFor();
  await keepScreenshot(hebrew, 'drafts-he-light');
  await hebrew.getByRole('link', { name: 'Half a thou' }).click();
  const text = hebrew.getByLabel('טקסט', { exact: true });
  await text.waitFor();
  assert.equal(await text.inputValue(), 'Half a thou');
  assert.equal(await hebrew.getByLabel('מספרי טלפון').inputValue(), '052-111-2222');
  await hebrew.setViewportSize({ width: 390, height: 844 });
  await assertFits(hebrew);
  await keepScreenshot(hebrew, 'draft-he-phone');

  await write(page, 'A whole thought');
  await saved('A whole thought');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Message accepted.').waitFor();
  await waitFor('the draft to be gone', async () => (await drafts()).length === 0);
});

test('two people do not save over each other', async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  await one.goto('/send');
  await write(one, 'From one');
  const { id } = (await saved('From one'))!;
  await other.goto(`/send?draft=${id}`);
  await other.getByText('From one').first().waitFor();
  await write(other, 'From the other');
  await saved('From the other');
  await write(one, 'From one again');
  await one.getByText('Someone else changed this draft').waitFor();
  await keepScreenshot(one, 'draft-changed-en-light');
  await one.getByRole('button', { name: 'Save mine as a new draft' }).click();
  await saved('From one again');
  await waitFor('two drafts', async () => (await drafts()).length === 2);

  await write(other, 'From the other, later');
  const later = await waitFor('it is saved', async () =>
    (await drafts()).find(({ content }) => content.includes('From the other, later')),
  );
  assert.equal(later.id, id);

  await one.goto('/campaigns');
  for (const count of [1, 0]) {
    await one
      .getByRole('button', { name: /^Actions: From/ })
      .first()
      .click();
    await one.getByRole('menuitem', { name: 'Delete draft' }).click();
    await one.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await waitFor('it is deleted', async () => (await drafts()).length === count);
    await one.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('what cannot be saved is not left without being asked', async () => {
  const page = await signedIn();
  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'New campaign' }).first().click();
  await page.route('**/v1/drafts', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await write(page, 'Not to be lost');
  await page.getByText('The draft is not saved').waitFor();
  await page.getByRole('link', { name: 'Messages' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Leave without saving?').waitFor();
  await keepScreenshot(page, 'draft-leave-en-light');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.match(page.url(), /\/send/);
  // The browser's Back asks, too.
  await page.evaluate('history.back()');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'Not to be lost');
  await page.evaluate('history.back()');
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
  assert.equal((await drafts()).length, 0);

  const hebrew = await signedIn({ language: 'he' });
  await hebrew.goto('/send');
  await hebrew.route('**/v1/drafts', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await hebrew.getByLabel('טקסט', { exact: true }).fill('לא ללכת לאיבוד');
  await hebrew.getByText('הטיוטה לא נשמרה').waitFor();
  await hebrew.getByRole('link', { name: 'הודעות', exact: true }).click();
  await hebrew.getByRole('dialog').waitFor();
  await keepScreenshot(hebrew, 'draft-leave-he-light');
});

test('a campaign is duplicated, and a scheduled one begins at another time', async () => {
  const phones = newPhones(2);
  const { fields } = await service.call('json', 'sms', {
    source: '0559876543',
    destinations: { phone: phones },
    message: 'To be sent twice',
    campaign_name: 'Twice',
    timing: '31/12/36 10:00',
  });
  const page = await signedIn();
  await page.goto(`/campaigns/${fields.shipment_id}`);
  const menu = page.getByRole('button', { name: 'Actions: Twice' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Starts').fill('2037-01-02');
  await dialog.getByLabel('Time', { exact: true }).fill('11:30');
  await keepScreenshot(page, 'reschedule-en-light');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await page.getByText('The campaign was rescheduled.').waitFor();
  const [row] = await service.sql<{ due: number }[]>`
    SELECT due_at AS due FROM shipments WHERE id = ${Number(fields.shipment_id)}`;
  assert.equal(new Date(row!.due).toISOString(), '2037-01-02T09:30:00.000Z');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByText('Filled in from an earlier campaign').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'To be sent twice');
  assert.equal(await page.getByLabel('Phone numbers').inputValue(), phones.join('\n'));
  assert.equal(await page.getByLabel('Campaign name').inputValue(), 'Twice');
  await keepScreenshot(page, 'duplicate-en-light');
  const hebrew = await signedIn({ language: 'he' });
  await hebrew.goto(`/campaigns/${fields.shipment_id}`);
  const actions = hebrew.getByRole('button', { name: /: Twice$/ }).last();
  await actions.click();
  await hebrew.getByRole('menuitem', { name: 'שינוי מועד' }).click();
  await hebrew.getByRole('dialog').getByRole('button', { name: 'ביטול' }).waitFor();
  await keepScreenshot(hebrew, 'reschedule-he-light');
  await hebrew.getByRole('dialog').getByRole('button', { name: 'ביטול' }).click();
  await hebrew.goto(`/send?repeat=${fields.shipment_id}`);
  await hebrew.getByText('To be sent twice').first().waitFor();
  await keepScreenshot(hebrew, 'duplicate-he-light');
  await hebrew.close();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForURL(/\/campaigns\/\d+/);
  const sent = await service.sql`SELECT id FROM shipments WHERE campaign_name = 'Twice'`;
  assert.equal(sent.length, 2);
});

test('a dialog that is left says what is kept, and a later notice does not cover the title', async () => {
  for (const [language, words] of [
    ['en', { draft: 'Delete draft', keep: 'Keep draft', deleted: 'The draft was deleted.' }],
    ['he', { draft: 'מחיקת הטיוטה', keep: 'השארת הטיוטה', deleted: 'הטיוטה נמחקה.' }],
  ] as const) {
    const viewport = language === 'en' ? { width: 1280, height: 860 } : { width: 390, height: 844 };
    const page = await signedIn({ language });
    await page.setViewportSize(viewport);
    const title = `To keep ${language}`;
    const made = await page.request.post('/v1/drafts', {
      data: { channel: 'sms', title, content: { message: 'Hello' } },
      headers: { 'X-Carillon-CSRF': '1' },
    });
    assert.equal(made.status(), 200, await made.text());
    await page.goto('/campaigns');
    const remove = async () => {
      await page.getByRole('button', { name: new RegExp(`${title}$`) }).click();
      await page.getByRole('menuitem', { name: words.draft }).click();
    };
    await remove();
    const dialog = page.getByRole('dialog');
    await keepScreenshot(page, `dialog-keep-${language}`);
    await dialog.getByRole('button', { name: words.keep }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.ok((await drafts()).some((draft) => draft.title === title));
    await remove();
    await dialog.getByRole('button', { name: words.draft }).click();
    const told = page.getByRole('alert').filter({ hasText: words.deleted });
    // What is pointed at stays.
    await told.hover();
    const [note, heading] = await Promise.all([
      told.boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ]);
    assert.ok(note!.y > heading!.y + heading!.height, JSON.stringify([note, heading]));
    await keepScreenshot(page, `toast-${language}`);
  }
});
