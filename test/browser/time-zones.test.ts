import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhones } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest();

/** A page of the owner, in a browser that is elsewhere. */
const elsewhere = (timezoneId: string) => signedIn({ timezoneId });
const zoneOfAccount = async () =>
  (
    await service.sql<
      { zone: string | null }[]
    >`SELECT time_zone AS zone FROM accounts WHERE id = ${service.demo.id}`
  )[0]!.zone;

async function scheduled(): Promise<string> {
  const { fields } = await service.call('json', 'sms', {
    source: '0559876543',
    destinations: { phone: newPhones(2) },
    message: 'At one time',
    campaign_name: 'One time',
    timing: '31/12/36 10:00',
  });
  return fields.shipment_id as string;
}

const begins = (page: Page) => page.locator('time', { hasText: '2036' }).first();

test('two people in different zones see a campaign at the same time, with the zone named', async () => {
  const id = await scheduled();
  for (const [browser, language] of [
    ['America/New_York', 'en'],
    ['Asia/Tokyo', 'en'],
  ] as const) {
    const page = await signedIn({ timezoneId: browser, language });
    await page.goto(`/campaigns/${id}`);
    await begins(page).waitFor();
    assert.match(await begins(page).innerText(), /10:00/, browser);
    await page.getByText('Time zone: Asia/Jerusalem').waitFor();
  }
});

test('the owner chooses the zone of the account; a person may have another one', async () => {
  const id = await scheduled();
  const page = await elsewhere('America/New_York');
  await page.goto('/start');
  await page.getByText('Which time zone does this account use?').waitFor();
  await keepScreenshot(page, 'ask-zone-en-light');
  await page.getByRole('link', { name: 'Choose another' }).click();
  await page.waitForURL(/\/account#time-zone$/);
  await page.getByRole('combobox', { name: 'Time zone of the account' }).waitFor();
  await page.goto('/start');
  await page.getByRole('button', { name: 'Use America/New_York' }).click();
  await page.getByText('Time zone: America/New_York').waitFor();
  assert.equal(await zoneOfAccount(), 'America/New_York');
  assert.equal(await page.getByText('Which time zone does this account use?').count(), 0);
  await page.goto(`/campaigns/${id}`);
  await begins(page).waitFor();
  assert.match(await begins(page).innerText(), /03:00/);

  await page.goto('/settings');
  await page.getByRole('combobox', { name: 'Your time zone' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Time zone of the account' }).count(), 0);
  await page.getByRole('combobox', { name: 'Your time zone' }).fill('Asia/Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByText('Time zone: Asia/Tokyo').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'zones-en-phone');
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`/campaigns/${id}`);
  await begins(page).waitFor();
  assert.match(await begins(page).innerText(), /17:00/);

  // What is typed is read in the zone that is shown.
  await page.getByRole('button', { name: 'Actions: One time' }).click();
  await page.getByRole('menuitem', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Time zone: Asia/Tokyo').waitFor();
  assert.equal(await dialog.getByLabel('Starts').inputValue(), '2036-12-31');
  assert.equal(await dialog.getByLabel('Time', { exact: true }).inputValue(), '17:00');
  // Times of 24 hours, however they are typed and whatever the language of the browser.
  await dialog.getByLabel('Time', { exact: true }).fill('6 pm');
  await dialog.getByLabel('Time', { exact: true }).blur();
  assert.equal(await dialog.getByLabel('Time', { exact: true }).inputValue(), '18:00');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await waitFor('it begins an hour later', async () => {
    const [row] = await service.sql<
      { due: number }[]
    >`SELECT due_at AS due FROM shipments WHERE id = ${Number(id)}`;
    return new Date(row!.due).toISOString() === '2036-12-31T09:00:00.000Z';
  });
  // It was the person's own: the account keeps its zone.
  assert.equal(await zoneOfAccount(), 'America/New_York');
});

test('the zone of an account in Hebrew', async () => {
  const page = await signedIn({ language: 'he' });
  await page.goto('/account');
  const zone = page.getByRole('combobox', { name: 'אזור הזמן של החשבון' });
  await zone.fill('Europe/London');
  await page.getByRole('option', { name: 'Europe/London' }).click();
  await waitFor('it is stored', async () => (await zoneOfAccount()) === 'Europe/London');
  await waitFor('it is shown', async () => (await zone.inputValue()) === 'Europe/London');
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, 'zones-he-light');
});

test('a viewer reads the zone of the account under General, and cannot change it', async () => {
  await addPerson(service, 'zone-viewer', 'viewer', service.demo.id);
  const owner = await signedIn();
  const answer = await owner.request.patch('/v1/account', {
    data: { time_zone: 'Europe/Paris' },
    headers: { 'X-Carillon-CSRF': '1' },
  });
  assert.equal(answer.status(), 200);
  const page = await signedIn({}, { username: 'zone-viewer', password: PASSWORD });
  await page.goto('/account');
  await page.getByRole('main').getByText('Europe/Paris', { exact: true }).waitFor();
  assert.equal(await page.getByRole('combobox').count(), 0);
});
