import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* Filters of a list: chips in one line, a popover that has all of them, and the address that keeps them. */

const { service, signedIn } = await startBrowserTest();

const phone = newPhone();
for (const [number, text] of [
  [phone, 'To be delivered'],
  ['0521230001', 'For nobody'],
] as const) {
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: number },
    message: text,
  });
  assert.equal(sent.status, 0, sent.message);
  await waitFor(`the end of ${sent.fields.shipment_id as string}`, async () => {
    const open =
      await service.sql`SELECT 1 FROM messages WHERE shipment_id = ${sent.fields.shipment_id as string}
      AND final_at IS NULL`;
    return open.length === 0;
  });
}

for (const { language, add, state, failed, period, today, remove, clear } of [
  {
    language: 'en',
    add: 'Filter',
    state: 'State',
    failed: 'Failed',
    period: 'Period',
    today: 'Today',
    remove: 'Remove the filter “State”',
    clear: 'Clear filters',
  },
  {
    language: 'he',
    add: 'סינון',
    state: 'מצב',
    failed: 'נכשלה',
    period: 'תקופה',
    today: 'היום',
    remove: 'הסרת הסינון ״מצב״',
    clear: 'ניקוי הסינון',
  },
] as const) {
  test(`a filter is a chip that one opens, changes and removes (${language})`, async () => {
    const page = await signedIn({ language });
    await page.goto('/messages');
    const rows = page.locator('tbody tr');
    await rows.nth(1).waitFor();
    const bar = page.getByRole('search');
    const dialog = page.getByRole('dialog');
    // Filters without a value are not shown, except the period.
    assert.equal(await bar.locator('.filter-value').count(), 1);
    await bar.getByRole('button', { name: add, exact: true }).click();
    await dialog.getByLabel(state).selectOption(failed);
    await page.waitForURL(/state=failed/);
    await rows.nth(1).waitFor({ state: 'detached' });
    await assertAccessible(page);
    await keepScreenshot(page, `filters-${language}-light`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // The chip of a filter opens it.
    await bar.getByRole('button', { name: `${period} ` }).click();
    await dialog.getByLabel(period).and(page.locator(':focus')).waitFor();
    await dialog.getByLabel(period).selectOption(today);
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: `${period} ${today}` }).waitFor();

    await page.reload();
    await bar.getByRole('button', { name: `${state} ${failed}` }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `filters-${language}-light-390`);
    await bar.getByRole('button', { name: remove }).click();
    await page.waitForURL((address) => !address.search.includes('state'));
    await bar.getByRole('button', { name: `${period} ${today}` }).click();
    await dialog.getByRole('button', { name: clear }).click();
    await page.waitForURL((address) => address.search === '');
    await assertFits(page);
  });
}

test('a text is applied by Enter, and a chip shows it', async () => {
  const page = await signedIn();
  await page.goto('/requests');
  const bar = page.getByRole('search');
  await bar.getByRole('button', { name: 'Filter', exact: true }).click();
  const operation = page.getByRole('dialog').getByLabel('Operation');
  await operation.fill('sms');
  await operation.press('Enter');
  await page.waitForURL(/operation=sms/);
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Operation sms' }).waitFor();
  await bar.getByRole('button', { name: 'Remove the filter “Operation”' }).click();
  await page.waitForURL((address) => address.search === '');
});

test('the operator filters prices by an account', async () => {
  const operator = { username: 'filters-operator', password: PASSWORD };
  await addPerson(service, operator.username, 'operator', null);
  const page = await signedIn({}, operator);
  await page.goto('/operator/prices');
  const bar = page.getByRole('search');
  await bar.getByRole('button', { name: 'Filter', exact: true }).click();
  // The input of the account has the focus, and its choices are open.
  await page.getByRole('option', { name: 'Everyone' }).click();
  await bar.getByRole('button', { name: 'For Everyone' }).waitFor();
  await page.getByRole('dialog').waitFor();
});
