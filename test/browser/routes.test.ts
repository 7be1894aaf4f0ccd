import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { phone, startNetwork } from '../faults/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Routes of SMS as ordered rules, the search for the route of a message and the comparison with the last messages, as an operator uses
 * them in the console.
 */

const network = await startNetwork();
const { signedIn, service } = await startBrowserTest();
await addPerson(service, 'routing', 'operator', null);
const operator = { username: 'routing', password: PASSWORD };

async function addOverApi(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(`/v1/operator/${path}`, {
    data,
    headers: { 'X-Carillon-CSRF': '1' },
  });
  assert.equal(answer.status(), 200, await answer.text());
}

async function addEntries(field: Locator, ...entries: string[]): Promise<void> {
  for (const entry of entries) {
    await field.fill(entry);
    await field.press('Enter');
  }
}

const list = (within: Page | Locator, name: string) => within.getByRole('combobox', { name, exact: true });

test('an operator adds routes with conditions, orders them, tries messages, and edits and removes one', async () => {
  const page = await signedIn({}, operator);
  await addOverApi(page, 'connectors', {
    name: 'alpha',
    smpp: { host: '127.0.0.1', port: network.port, system_id: 'carillon', password: 'carillon' },
  });
  await page.goto('/operator/connectors');
  await page.getByRole('article', { name: 'alpha' }).getByText('Up', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Routes', exact: true }).click();

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByLabel('Title').fill('Codes of Acme');
  await addEntries(list(dialog, 'Prefixes'), '+972', '44', '33', '49');
  await list(dialog, 'Accounts').fill('dem');
  await page.getByRole('option', { name: 'demo', exact: true }).click();
  await addEntries(list(dialog, 'Senders'), 'Acme');
  await dialog.getByLabel('Codes', { exact: true }).check();
  await dialog.getByLabel('Cheapest first').check();
  await dialog.getByLabel('Connector', { exact: true }).selectOption('alpha');
  await dialog.getByLabel('Price', { exact: true }).fill('0.0125');
  await dialog.getByRole('button', { name: 'Add another connector' }).click();
  await addEntries(list(dialog, 'Codes for another connector'), 'ESME_RSYSERR');
  await dialog.getByLabel('Delivered share').fill('85');
  await dialog.getByLabel('Share of used codes').fill('60');
  await dialog.getByLabel('Share for exploring').fill('2.5');
  await dialog.getByLabel('Seconds without receipts').fill('600');
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-routes-form-en');
  await dialog.getByRole('button', { name: 'Add route' }).click();
  const codes = page.getByRole('row', { name: /Codes of Acme/ });
  for (const words of [
    '+972, +44 and 2 more',
    'Account demo',
    'Sender Acme',
    'Cheapest first',
    'weight 1, 0.0125 per part',
    'Another connector after ESME_RSYSERR',
  ])
    await codes.getByText(words).waitFor();

  await page.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByLabel('Title').fill('By day');
  await addEntries(list(dialog, 'Prefixes'), '972');
  // From Sunday to Thursday.
  await dialog.getByLabel('Limit to certain hours').check();
  await dialog.getByRole('button', { name: 'Add route' }).click();
  const byDay = page.getByRole('row', { name: /By day/ });
  await byDay.getByText('At set hours (Asia/Jerusalem)').waitFor();
  await page.getByRole('row').nth(1).getByText('Codes of Acme').waitFor();

  // The focus stays at the button, with which the route is moved further.
  const down = codes.getByRole('button', { name: 'Move Codes of Acme down' });
  await down.press('Enter');
  await page.getByText('Codes of Acme is now route 2.').waitFor();
  await page.getByRole('row').nth(1).getByText('By day').waitFor();
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Move Codes of Acme down');
  assert.equal(await down.getAttribute('aria-disabled'), 'true');

  await tryMessages(page);
  await changeAndRemove(page);
});

async function tryMessages(page: Page): Promise<void> {
  const status = (words: string) => page.getByRole('status').filter({ hasText: words });
  const others = page.getByRole('table', { name: 'The other routes, in their order' });
  const whyNot = (name: string | RegExp) => others.getByRole('row', { name });
  // Without the notices of the changes, which would be over the answer in the picture.
  await page.reload();
  await page.getByLabel('Phone number').fill('abc');
  await page.getByLabel('Phone number').press('Enter');
  await page.getByText('This is not a phone number.').waitFor();

  await page.getByLabel('Phone number').fill(`+${phone(1)}`);
  await list(page, 'Account (optional)').fill('demo');
  await page.getByRole('option', { name: 'demo', exact: true }).click();
  await page.getByLabel('Sender (optional)').fill('ACME');
  await page.getByLabel('Kind', { exact: true }).selectOption('Codes');
  // A Saturday.
  await page.getByLabel('Due (empty: now)').fill('2027-03-20');
  await page.getByLabel('Phone number').press('Enter');
  await status('This message takes the route Codes of Acme over alpha.').waitFor();
  const connectors = page.getByRole('table', { name: 'Connectors of the route' });
  await connectors.getByRole('row', { name: 'alpha Up 100% 0.0125 – –' }).waitFor();
  await whyNot(/By day/)
    .getByText('Outside its hours')
    .waitFor();
  await whyNot(/^default/)
    .getByText('An earlier route takes it')
    .waitFor();
  await assertAccessible(page);
  await whyNot(/^default/).scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-routes-en');

  await page.getByLabel('Kind', { exact: true }).selectOption('Marketing messages');
  await page.getByLabel('Phone number').press('Enter');
  await status('This message takes the route default over sandbox.').waitFor();
  await whyNot(/Codes of Acme/)
    .getByText('Only codes')
    .waitFor();
}

async function changeAndRemove(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const codes = page.getByRole('row', { name: /Codes of Acme/ }).first();
  await page.getByRole('button', { name: 'Edit Codes of Acme' }).click();
  assert.deepEqual(
    await Promise.all(
      [
        'Delivered share',
        'Share of used codes',
        'Share for exploring',
        'Seconds of throttling',
        'Seconds without receipts',
      ].map((name) => dialog.getByLabel(name).inputValue()),
    ),
    ['85%', '60%', '2.5%', '', '600'],
  );
  await list(dialog, 'Accounts').press('Backspace');
  await list(dialog, 'Senders').press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await codes.getByText('Sender Acme').waitFor({ state: 'detached' });
  await codes.getByText('Codes', { exact: true }).waitFor();
  await codes.getByText('0.0125 per part').waitFor();
  // The answer of before may be wrong now.
  await page.getByRole('table', { name: 'The other routes, in their order' }).waitFor({ state: 'detached' });

  await addOverApi(page, 'routes', { prefix: '44', connectors: [{ connector: 'alpha' }] });
  await page.getByRole('button', { name: 'Add route' }).click();
  const prefixes = list(dialog, 'Prefixes');
  await addEntries(prefixes, 'x');
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByText('“x” is not a prefix. Enter up to 15 digits.').waitFor();
  await prefixes.press('Backspace');
  await addEntries(prefixes, '44');
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByText('There is a route with the same conditions already.').waitFor();
  assert.equal(await prefixes.getAttribute('aria-invalid'), 'true');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove Codes of Acme' }).click();
  await dialog.getByRole('button', { name: 'Remove route' }).click();
  await codes.waitFor({ state: 'detached' });
  // During its hours it would take the messages of the next test.
  await page.getByRole('button', { name: 'Remove By day' }).click();
  await dialog.getByRole('button', { name: 'Remove route' }).click();
  await page.getByRole('row', { name: /By day/ }).waitFor({ state: 'detached' });
}

test('a route is compared with the messages of the last 24 hours before it is saved', async () => {
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: ['0521230008', '0521230018', '0521230028'] },
    message: 'For the comparison',
  });
  assert.equal(sent.status, 0, sent.message);
  await waitFor('the messages have their connector', async () => {
    const rows = await service.sql`SELECT FROM messages WHERE link IS NOT NULL`;
    return rows.length === 3;
  });
  const page = await signedIn({}, operator);
  await page.goto('/operator/routes');
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: 'Compare with the last 24 hours' });
  await page.getByRole('button', { name: 'Add route' }).click();
  await addEntries(list(dialog, 'Prefixes'), 'x');
  await submit.click();
  await dialog.getByText('“x” is not a prefix. Enter up to 15 digits.').waitFor();
  await list(dialog, 'Prefixes').press('Backspace');
  await addEntries(list(dialog, 'Prefixes'), '97252');
  await dialog.getByLabel('Connector', { exact: true }).selectOption('alpha');
  await dialog.getByLabel('Price', { exact: true }).fill('0.02');
  await submit.click();
  const answer = dialog.getByText('3 of 3 messages of the last 24 hours would take other connectors.');
  await answer.waitFor();
  const totals = dialog.getByRole('table', { name: 'Totals' });
  await totals.getByRole('row', { name: 'Price of the carriers 0 0.06' }).waitFor();
  await totals.getByRole('row', { name: 'Messages without a price 3 0' }).waitFor();
  const connectors = dialog.getByRole('table', { name: 'Messages by connector' });
  await connectors.getByRole('row', { name: 'alpha 0 3' }).waitFor();
  await connectors.getByRole('row', { name: 'sandbox 3 0' }).waitFor();
  await assertAccessible(page);
  await connectors.scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-route-comparison-en');
  // The answer of before may be wrong now.
  await dialog.getByLabel('Price', { exact: true }).fill('0.03');
  await answer.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add route' }).click();
  const row = page.getByRole('row', { name: /\+97252/ });
  await row.getByText('0.03 per part').waitFor();

  await row.getByRole('button', { name: /^Edit/ }).click();
  await dialog.getByLabel('Connector', { exact: true }).selectOption('sandbox');
  await submit.click();
  await connectors.getByRole('row', { name: 'alpha 3 0' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await row.getByText('alpha').waitFor();
});

test('routes in Hebrew, on a small screen', async () => {
  const page = await signedIn({ language: 'he', viewport: { width: 390, height: 844 } }, operator);
  await addOverApi(page, 'routes', {
    title: 'Campaigns',
    prefixes: ['972', '44', '33', '49'],
    kinds: ['marketing'],
    senders: ['Acme', 'גלידה'],
    connectors: [{ connector: 'sandbox', price: 0.02 }],
  });
  await page.goto('/operator/routes');
  const row = page.getByRole('row', { name: /Campaigns/ });
  await row.getByText('מזהי שולח Acme, גלידה').waitFor();
  await page.getByLabel('מספר טלפון').fill(phone(1));
  await page.getByLabel('מספר טלפון').press('Enter');
  await page.getByText('רק למזהי שולח אחרים').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await row.first().scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-routes-he-phone');
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByLabel('מספר טלפון').scrollIntoViewIfNeeded();
  await keepScreenshot(page, 'operator-routes-he');
  await page.getByRole('button', { name: 'עריכת Campaigns' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'השוואה ל־24 השעות האחרונות' }).click();
  await dialog.getByText('הודעות של 24 השעות האחרונות היו עוברות דרך חיבורים אחרים.').waitFor();
  await dialog.getByRole('table', { name: 'הודעות לפי חיבור' }).scrollIntoViewIfNeeded();
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-route-comparison-he');
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
});
