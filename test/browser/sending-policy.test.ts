import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import type { Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { hoursFrom } from '../modules/sending-policy/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone, newPhones } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The page of the sending policy, and what composers, campaigns and messages say of it. */

const { service, signedIn } = await startBrowserTest();
const api = withToken(service.url, DEMO_TOKEN);
const { clock } = service.appContext;

interface Policy {
  readonly hours: Readonly<Record<string, readonly string[]>> | null;
  readonly zone: string;
  readonly outside_hours: string;
  readonly applies_to: string;
  readonly allows_transactional: boolean;
  readonly rest_days: { readonly longitude: number; readonly second_days: boolean } | null;
  readonly caps: readonly object[];
  readonly over_cap: string;
  readonly consent: string;
}
const policy = () => api.get<Policy>('/sending-policy');

/** Looks at a page as it is on a narrow screen, and gives it its size back. */
async function atWidth(page: Page, width: number, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width, height: 844 });
  await assertFits(page);
  await keepScreenshot(page, `${name}-${width}`);
  await page.setViewportSize(before);
}

const agree = (subject: string) =>
  api.post('/consents', {
    consents: [{ subject, channel: 'sms', action: 'given', source: 'form', form: 'news' }],
  });

/** Saves by the one button of the page, which is there while something is changed. */
async function save(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Save', exact: true });
  await button.click();
  await button.waitFor({ state: 'detached' });
}

const check = (page: Page) =>
  page.locator('#check').getByRole('button', { name: 'Check', exact: true }).click();

test('hours, days of rest, caps and what they apply to are set, and a recipient is checked', async () => {
  const page = await signedIn();
  await page.goto('/sending-policy');
  await page.getByText('Permitted now').waitFor();
  await page.getByText('In these hours', { exact: true }).click();
  const sunday = page.getByRole('group', { name: 'Sunday' });
  await sunday.getByLabel('Sunday, from, 1').fill('10:00');
  await page.getByRole('button', { name: 'Add hours on Saturday' }).click();
  await page.getByLabel('Saturday, from, 1').fill('21:00');
  await page.getByLabel('Saturday, to, 1').fill('23:00');
  await page.getByText('Of the recipient', { exact: true }).click();
  await page.getByText('In a country with several zones').waitFor();
  await page.getByText('Sends are refused', { exact: true }).click();
  await save(page);
  await waitFor('the hours are stored', async () => (await policy()).hours !== null);
  const { hours, zone, outside_hours } = await policy();
  assert.deepEqual(
    [hours!.sunday, hours!.friday, hours!.saturday, zone, outside_hours],
    [['10:00-20:00'], [], ['21:00-23:00'], 'recipient', 'refuse'],
  );

  await page.getByRole('switch', { name: 'Send nothing on Shabbat' }).press('Space');
  await page.getByRole('combobox', { name: 'Sunset at' }).click();
  await page.getByRole('option', { name: 'New York' }).click();
  assert.equal(await page.getByLabel('Minutes before sunset').inputValue(), '18');
  await save(page);
  await waitFor('the days of rest are stored', async () => (await policy()).rest_days !== null);
  const { rest_days } = await policy();
  assert.deepEqual([rest_days!.longitude, rest_days!.second_days], [-74.006, true]);

  await page.getByRole('button', { name: 'Add cap' }).click();
  await page.getByLabel('Cap 1: messages').fill('2');
  await page.getByLabel('Cap 1: hours or days').fill('3');
  await page.getByRole('combobox', { name: 'Cap 1: channel' }).click();
  await page.getByRole('option', { name: 'SMS' }).click();
  await save(page);
  await waitFor('the cap is stored', async () => (await policy()).caps.length === 1);
  const { caps, over_cap } = await policy();
  assert.deepEqual([caps, over_cap], [[{ messages: 2, hours: 72, channel: 'sms' }], 'refuse']);

  await page.getByRole('switch', { name: 'Send only to recipients who have agreed' }).press('Space');
  await save(page);
  await waitFor('the consent is stored', async () => (await policy()).consent === 'marketing');

  await page.getByText('Campaigns and single messages', { exact: true }).click();
  await page.getByRole('switch', { name: 'Allow transactional messages at any time' }).press('Space');
  await save(page);
  await waitFor('the scope is stored', async () => {
    const { applies_to, allows_transactional } = await policy();
    return applies_to === 'all' && allows_transactional;
  });

  await page.getByLabel('Number or address').fill('not a number');
  await check(page);
  await page
    .locator('#check')
    .getByText(/neither|not a phone|number/i)
    .last()
    .waitFor();
  await page.getByLabel('Number or address').fill('0501234567');
  await check(page);
  await page.getByText('No standing consent to marketing messages.').waitFor();
  await agree('0501234567');
  // A Saturday at noon, by the clock of the browser.
  await page.locator('#check').getByLabel('At').fill('2027-06-19');
  await page.locator('#check').getByLabel('Time', { exact: true }).fill('12:00');
  await check(page);
  await page.getByText('Not permitted at that hour.').waitFor();
  await assertAccessible(page);
  await page.evaluate('scrollTo(0, 0)');
  await keepScreenshot(page, 'sending-policy-en');
  await atWidth(page, 390, 'sending-policy-en');
  await atWidth(page, 860, 'sending-policy-en');
  await page.locator('#consent').scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'sending-policy-consent-en');
  await page.reload();
  assert.equal(await page.getByLabel('Cap 1: hours or days').inputValue(), '3');
});

test('a campaign waits for its hours, and the composer, its page and its message show that', async () => {
  const reset = {
    hours: null,
    rest_days: null,
    caps: [],
    zone: 'account',
    outside_hours: 'wait',
    consent: 'not_required',
  };
  const owner = await signedIn();
  const change = (body: object) =>
    owner.request.patch('/v1/sending-policy', { data: body, headers: { 'X-Carillon-CSRF': '1' } });
  const { week } = hoursFrom(clock, 3, { zone: 'Asia/Jerusalem' });
  assert.equal((await change({ ...reset, hours: week, applies_to: 'campaigns' })).status(), 200);

  const page = await signedIn({ language: 'he' });
  await page.goto('/sending-policy');
  await page.locator('#hours').getByText('מותר החל מתאריך').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'sending-policy-he');
  await atWidth(page, 390, 'sending-policy-he');

  await page.goto('/send');
  await page.getByText('השעות השקטות של החשבון אינן מתירות קמפיינים עכשיו').waitFor();
  const day = page.getByRole('img', { name: /^נשלח ב.*: \d\d:\d\d עד \d\d:\d\d/ });
  await day.waitFor();
  await page.getByRole('switch', { name: 'הגבלה לשעות מסוימות' }).press('Space');
  await page.getByRole('group', { name: 'שעות ביום' }).getByLabel('משעה').fill('11:00');
  await assertAccessible(page);
  await keepScreenshot(page, 'compose-quiet-hours-he');
  await atWidth(page, 390, 'compose-quiet-hours-he');

  const phones = newPhones(2);
  const { shipment_id: id } = await api.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Carillon', message: 'hello', phones, campaign_name: 'Quiet' },
    202,
  );
  await page.goto(`/campaigns/${id}`);
  await page.getByText('מדיניות השליחה של החשבון אינה מתירה הודעות נוספות עכשיו').waitFor();
  await assertAccessible(page);
  const { messages } = await api.get<{ messages: { id: string }[] }>(`/messages?shipment_id=${id}`);
  await page.goto(`/messages/${messages[0]!.id}`);
  await page.getByText('ממתינה לשעות שבהן החשבון מתיר לשלוח').waitFor();
  await keepScreenshot(page, 'message-quiet-hours-he');
  await change(reset);
});

test('a scheduled campaign shows the start that its hours permit, the hours and its list', async () => {
  const { id: list } = await api.post<{ id: string }>('/contact-lists', { name: 'Regulars' });
  await api.post(`/contact-lists/${list}/contacts`, {
    contacts: [{ phone: newPhone() }, { phone: newPhone() }],
  });
  // In the evening of the day after tomorrow, after the end of its hours.
  const evening = DateTime.fromMillis(clock.now(), { zone: 'Asia/Jerusalem' })
    .plus({ days: 2 })
    .set({ hour: 20, minute: 0, second: 0, millisecond: 0 });
  const morning = evening.plus({ days: 1 }).set({ hour: 10 });
  const { shipment_id: id } = await api.post<{ shipment_id: string }>(
    '/sms',
    {
      source: 'Carillon',
      message: 'hello',
      lists: [list],
      campaign_name: 'Within hours',
      at: evening.toUTC().toISO(),
      sending_hours: '10:00-18:00',
    },
    202,
  );
  const shown = await api.get<{ starts_at: string; sending_hours: string; lists: object[] }>(
    `/campaigns/${id}`,
  );
  assert.equal(Date.parse(shown.starts_at), morning.toMillis());
  assert.equal(shown.sending_hours, '10:00-18:00');
  assert.deepEqual(shown.lists, [{ id: list, name: 'Regulars' }]);
  for (const { language, starts, due, hours, lists } of [
    {
      language: 'en',
      starts: 'Starts',
      due: 'Scheduled for',
      hours: 'Sending hours',
      lists: 'Contact lists',
    },
    { language: 'he', starts: 'מתחיל', due: 'מועד מתוכנן', hours: 'שעות שליחה', lists: 'רשימות אנשי קשר' },
  ] as const) {
    const page = await signedIn({ language });
    await page.goto(`/campaigns/${id}`);
    const fact = (name: string) =>
      page.locator('dl.facts > div').filter({ has: page.getByText(name, { exact: true }) });
    await fact(starts).getByText('10:00').waitFor();
    await fact(due).getByText('20:00').waitFor();
    await fact(hours).getByText('10:00-18:00').waitFor();
    await fact(lists).getByRole('link', { name: 'Regulars' }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await keepScreenshot(page, `campaign-scheduled-${language}`);
    await page.goto('/campaigns');
    const row = page.getByRole('row').filter({ hasText: 'Within hours' });
    await row.getByText('10:00').first().waitFor();
    assert.equal(await row.getByText('20:00').count(), 0);
  }
});

test('a composer says how many of the recipients have no consent', async () => {
  const owner = await signedIn();
  const change = (consent: string) =>
    owner.request.patch('/v1/sending-policy', { data: { consent }, headers: { 'X-Carillon-CSRF': '1' } });
  await change('marketing');
  const phones = newPhones(3);
  await agree(phones[0]!);
  const page = await signedIn({ language: 'he' });
  await page.goto('/send');
  await page.getByRole('combobox', { name: 'שולח' }).fill('Carillon');
  await page.getByLabel('מספרי טלפון').fill(phones.join('\n'));
  await page.getByLabel('טקסט', { exact: true }).fill('שלום');
  const left = page.locator('.finish').getByText('מתוכם לא ייכללו: אין הסכמה');
  await left.waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'compose-consent-he');
  await atWidth(page, 390, 'compose-consent-he');
  await change('not_required');
});

test('the page belongs to owners', async () => {
  await addPerson(service, 'policy-sender', 'sender', service.demo.id);
  const page = await signedIn({}, { username: 'policy-sender', password: PASSWORD });
  await page.goto('/sending-policy');
  await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  const answer = await page.request.patch('/v1/sending-policy', {
    data: {},
    headers: { 'X-Carillon-CSRF': '1' },
  });
  assert.equal(answer.status(), 403);
  assert.equal(
    (await api.get<{ permitted: boolean }>(`/sending-policy/check?to=${newPhone()}`)).permitted,
    true,
  );
});
