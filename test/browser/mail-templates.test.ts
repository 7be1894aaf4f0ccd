import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest(
  {},
  // What a hostile template wants to do, and the browser does not let it.
  /^Blocked script execution|ERR_BLOCKED_BY_RESPONSE\.NotSameOrigin/,
);

const templates = () =>
  service.sql<{ id: number; name: string; subject: string; html: string | null; version: number }[]>`
    SELECT id, name, subject, html, version FROM mail_templates ORDER BY id`;
const htmlOf = (page: Page) => page.getByRole('textbox', { name: 'HTML' });
const frameOf = (page: Page) => page.frameLocator('iframe[title="The email"]');

test('a mail template is written, found, used for a mail, and saved from one', async () => {
  const page = await signedIn();
  await page.goto('/mail-templates');
  await page.getByText('No email templates yet').waitFor();
  await page.getByRole('link', { name: 'New email template' }).first().click();
  await page.getByRole('button', { name: 'Save template' }).click();
  await page.getByText('Write the email, as HTML or as plain text.').waitFor();
  await page.getByText('Fill in this field.').waitFor();
  await assertAccessible(page);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring sale');
  await page.getByLabel('Subject').fill('Spring is here, {{FirstName}}');
  await htmlOf(page).fill('<p>Hello {{FirstName|friend}}</p>');
  await frameOf(page).getByText('Hello {{FirstName|friend}}').waitFor();
  await page.getByRole('button', { name: 'Save template' }).click();
  await page.getByText('The template was saved.').waitFor();
  await page.waitForURL(/mail-templates\/\d+$/);
  await page.getByRole('heading', { level: 1, name: 'Spring sale' }).waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 860 });

  // Ctrl+K finds it by its name.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search pages, messages and actions' }).fill('spring sale');
  await page.getByRole('option', { name: /Spring sale/ }).waitFor();
  await page.keyboard.press('Escape');

  await page.goto('/send?channel=mail');
  await page.getByLabel('Subject').fill('To be replaced');
  await page.getByRole('button', { name: 'Use a template' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The template replaces the subject and the text of this email.').waitFor();
  await dialog.getByLabel('Search email templates').fill('no such');
  await dialog.getByText('No template has this in its name or subject.').waitFor();
  await dialog.getByLabel('Search email templates').fill('SPRING');
  await keepScreenshot(page, 'mail-template-use-en-light');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: /Spring sale/ }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Spring is here, {{FirstName}}');
  assert.equal(await htmlOf(page).inputValue(), '<p>Hello {{FirstName|friend}}</p>');

  await page.getByLabel('Subject').fill('Summer is here');
  await page.getByRole('button', { name: 'Save as template' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Summer sale');
  await dialog.getByRole('button', { name: 'Save template' }).click();
  await waitFor('two templates', async () => (await templates()).length === 2);
});

test('templates are duplicated, sent and deleted from their list, in Hebrew', async () => {
  const page = await signedIn({ language: 'he' });
  await page.goto('/mail-templates');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await page.getByLabel('חיפוש תבניות דוא״ל').fill('spring');
  await row('Summer sale').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'פעולות עבור Spring sale' }).click();
  await page.getByRole('menuitem', { name: 'שכפול' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'שכפול' }).click();
  await row('עותק של Spring sale').waitFor();
  await keepScreenshot(page, 'mail-templates-he-light');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await page.getByRole('button', { name: 'פעולות עבור עותק של Spring sale' }).click();
  await page.getByRole('menuitem', { name: 'מחיקה' }).click();
  await dialog.getByRole('button', { name: 'מחיקת התבנית' }).click();
  await waitFor('it is deleted', async () => (await templates()).length === 2);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'פעולות עבור Spring sale' }).click();
  await page.getByRole('menuitem', { name: 'שליחת הודעה ממנה' }).click();
  const subject = page.getByLabel('נושא');
  await subject.waitFor();
  assert.equal(await subject.inputValue(), 'Spring is here, {{FirstName}}');
});

test('two people do not save over each other, and changes are not lost by leaving', async () => {
  const { id } = (await templates())[0]!;
  const [one, other] = [await signedIn(), await signedIn()];
  for (const page of [one, other]) {
    await page.goto(`/mail-templates/${id}`);
    await page.getByLabel('Subject').waitFor();
  }
  await other.getByLabel('Subject').fill('From the other');
  await other.getByRole('button', { name: 'Save template' }).click();
  await other.getByText('The template was saved.').waitFor();
  await one.getByLabel('Subject').fill('From one');
  await one.getByRole('main').getByRole('link', { name: 'Email templates' }).click();
  const dialog = one.getByRole('dialog');
  await dialog.getByText('Leave without saving?').waitFor();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await one.getByRole('button', { name: 'Save template' }).click();
  await one.getByText('Someone else changed this template').waitFor();
  await keepScreenshot(one, 'mail-template-changed-en-light');
  await one.getByRole('button', { name: 'Save mine as a new template' }).click();
  await waitFor('a third template', async () =>
    (await templates()).some(({ subject }) => subject === 'From one'),
  );
  await one.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
  assert.equal((await templates()).find((row) => row.id === id)?.subject, 'From the other');

  await other.getByLabel('Subject').fill('From the other, later');
  await other.getByRole('button', { name: 'Save template' }).click();
  await waitFor('it is saved again', async () =>
    (await templates()).some((row) => row.id === id && row.version === 3),
  );
});

test('a template runs no script in the console, and plain text is shown as text', async () => {
  const hostile = '<img src=x onerror="parent.document.title=\'taken\'">';
  const page = await signedIn();
  const { id } = (await templates())[0]!;
  await service.sql`
    UPDATE mail_templates SET name = ${hostile}, subject = ${hostile},
      html = ${`<script>parent.document.title='taken'</script>${hostile}<p onclick="alert(1)">Seen</p>`}
    WHERE id = ${id}`;
  await page.goto('/mail-templates');
  await page.getByRole('link', { name: hostile }).click();
  await frameOf(page).getByText('Seen').waitFor();
  assert.doesNotMatch(await page.title(), /^taken/);
  await page.goto(`/send?channel=mail&template=${id}`);
  await page.getByLabel('Subject').waitFor();
  assert.equal(await page.getByLabel('Subject').inputValue(), hostile);
  assert.doesNotMatch(await page.title(), /^taken/);
});
