import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { addConfirmed } from '../modules/alerts/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The pages of alerts: rules of an account and of the operator, what they find, and who was told. */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'alerting', 'operator', null);
const operator = { username: 'alerting', password: PASSWORD };
const { sql } = service;
const api = withToken(service.url, DEMO_TOKEN);

/** Looks at a page as it is on a phone, and gives it its size back. */
async function onPhone(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, name);
  await page.setViewportSize(before);
}

test('a rule is written and tested, and what it finds is shown until it is over', async () => {
  await addConfirmed(sql, service.demo.id, 'dana@example.com');
  const page = await signedIn();
  await page.goto('/alerts');
  await page.getByText('Nothing is wrong').waitFor();
  await page.getByRole('link', { name: 'New rule' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'New alert rule' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Credit');
  await page.getByLabel('Below (credits)').fill('much');
  const mails = page.getByRole('combobox', { name: 'Email addresses' });
  await mails.fill('dana@example.com');
  await mails.press('Enter');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Enter an amount with at most four decimal places.').waitFor();
  await page.getByLabel('Below (credits)').fill('100000000');
  await assertAccessible(page);
  await keepScreenshot(page, 'alert-rule-en');
  await onPhone(page, 'alert-rule-en-phone');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('The rule “Credit” was created.').waitFor();

  await sql`DELETE FROM state WHERE key = 'alerts.evaluated'`;
  await waitFor('the alert', async () => (await api.get<{ open: number }>('/alerts/open')).open === 1);
  await page.reload();
  await page.getByText(/^Balance of demo: [\d,.]+ credits \(threshold 100,000,000\)$/).waitFor();
  await page.getByText(', 1 open alert').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /^Details: Balance of demo/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('dana@example.com').waitFor();
  await dialog.getByText('Sent').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'alert-told-en');
  await page.keyboard.press('Escape');
  await keepScreenshot(page, 'alerts-en');
  await onPhone(page, 'alerts-en-phone');

  await page.getByRole('link', { name: 'Credit', exact: true }).click();
  await page.getByText('No test alert has been sent.').waitFor();
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await page.getByText('Test · Email').waitFor();
  await page.goto('/alerts');
  await page.getByRole('switch', { name: 'Credit: on' }).click({ force: true });
  await page.getByText('Nothing is wrong').waitFor();
  await page.getByRole('button', { name: 'Actions for Credit' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The rule “Credit” was deleted.').waitFor();
});

test('the operator writes rules for connectors, told by SMS of an account', async () => {
  const page = await signedIn({}, operator);
  await page.goto('/operator/alerts/new');
  await page.getByLabel('Name', { exact: true }).fill('Connectors');
  const phones = page.getByRole('combobox', { name: 'Phone numbers' });
  await phones.fill('0501234567');
  await phones.press('Enter');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Fill in this field.').waitFor();
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'demo' }).click();
  await assertAccessible(page);
  await keepScreenshot(page, 'alert-rule-operator-en');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('The rule “Connectors” was created.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Connector down' }).getByText('Email, SMS').waitFor();
  await keepScreenshot(page, 'alerts-operator-en');
});

test('the operator sees that no backup exists', async () => {
  const page = await signedIn({ language: 'he' }, operator);
  await page.goto('/operator/alerts/new');
  await page.getByRole('combobox', { name: 'התראה על' }).click();
  await page.getByRole('option', { name: 'גיל הגיבוי האחרון' }).click();
  assert.equal(await page.getByLabel('שעות בלי גיבוי').inputValue(), '26');
  await page.getByLabel('שם', { exact: true }).fill('גיבוי');
  await assertAccessible(page);
  await keepScreenshot(page, 'alert-rule-backup-he');
  await onPhone(page, 'alert-rule-backup-he-phone');
  await page.getByRole('button', { name: 'יצירת כלל' }).click();
  await page.getByText('הכלל ״גיבוי״ נוצר.').waitFor();
  await sql`DELETE FROM state WHERE key = 'alerts.evaluated'`;
  await waitFor('the alert', async () => {
    const rows = await sql`SELECT 1 FROM alert_incidents WHERE kind = 'backup-age' AND began_at IS NOT NULL`;
    return rows.length === 1;
  });
  await page.reload();
  await page.getByText('אין גיבוי').waitFor();
  await keepScreenshot(page, 'alerts-backup-he');
});
