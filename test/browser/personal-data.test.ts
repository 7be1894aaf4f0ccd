import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { filesIn } from '../modules/data-subjects/support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone, stored } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The pages of owners about one person: what is stored, an export, an erasure with its certificate, and the consent log. */

const { service, signedIn } = await startBrowserTest();
const { sql, demo } = service;
const api = withToken(service.url, DEMO_TOKEN);
const phone = newPhone();

/** Sends something to the person, and waits until it has arrived. */
async function live(word: string): Promise<void> {
  await api.post('/sms', { source: 'Shop', message: `${word} for you`, phones: [phone] }, 202);
  await waitFor('the message ends', async () => {
    const [open] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM messages WHERE recipient = ${stored(phone)} AND final_at IS NULL`;
    return open!.n === 0;
  });
}

/** Looks at a page as it is on other screens, and gives it its size back. */
async function onOtherScreens(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  for (const width of [860, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await assertFits(page);
    await keepScreenshot(page, `${name}-${width}`);
  }
  await page.setViewportSize(before);
}

async function download(page: Page, click: () => Promise<void>): Promise<Buffer> {
  const started = page.waitForEvent('download');
  await click();
  return readFileSync(await (await started).path());
}

async function find(page: Page): Promise<void> {
  await page.goto('/personal-data');
  await page.getByRole('combobox', { name: 'Phone numbers' }).fill(phone);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText(/^Records found: \d+$/).waitFor();
}

test('an owner finds a person, and downloads what there is about them', async () => {
  await live('Mango');
  const page = await signedIn();
  await page.goto('/personal-data');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Enter a number, an address or a chat id.').waitFor();
  await page.getByRole('combobox', { name: 'Phone numbers' }).fill('12');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('This is not a phone number.').waitFor();
  await find(page);
  await page.getByRole('row', { name: /Messages that were sent 1 / }).waitFor();
  assert.ok(!page.url().includes(phone), 'the address of the page does not name the person');
  await assertAccessible(page);
  await keepScreenshot(page, 'personal-data-found');
  await onOtherScreens(page, 'personal-data-found');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').getByLabel('Reference').fill('case 17');
  await page.getByRole('button', { name: 'Start export' }).click();
  await page.getByText('The archive is ready.').waitFor();
  await page.getByText('case 17').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'personal-data-export');
  const archive = await download(page, () => page.getByRole('link', { name: 'Download archive' }).click());
  const files = await filesIn(archive);
  assert.match(files.get('index.html')!.toString(), /Mango for you/);
});

test('an erasure is confirmed by the number, and ends with a certificate', async () => {
  await live('Papaya');
  await api.post('/blacklist', { phones: [phone] });
  const page = await signedIn();
  await find(page);
  await page.getByRole('heading', { name: 'Earlier requests about this person' }).waitFor();
  await page.getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This cannot be undone.').waitFor();
  await dialog.getByRole('row', { name: /Messages that were sent/ }).waitFor();
  await dialog.getByRole('button', { name: 'Keep the data' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Erase' }).click();
  await dialog.getByLabel(/to confirm/).fill(newPhone());
  await dialog.getByRole('button', { name: 'Erase the data' }).click();
  await dialog.getByText('Type the first number or address again.').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'personal-data-erase');
  await onOtherScreens(page, 'personal-data-erase');
  await dialog.getByLabel(/to confirm/).fill(stored(phone));
  await dialog.getByRole('button', { name: 'Erase the data' }).click();
  await page.getByText('Checking again').waitFor();
  await page.getByText(/checks again after 15 minutes/).waitFor();
  const address = page.url();

  // Sessions do not outlive the clock.
  await service.advance(16 * 60);
  const later = await signedIn();
  await later.goto(address);
  await later.getByRole('heading', { level: 1, name: 'Certificate of erasure' }).waitFor();
  await later.getByRole('row', { name: /Archives of earlier exports 1 / }).waitFor();
  await assertAccessible(later);
  await keepScreenshot(later, 'personal-data-certificate');
  await onOtherScreens(later, 'personal-data-certificate');
  const certificate = await download(later, () =>
    later.getByRole('button', { name: 'Save certificate' }).click(),
  );
  const { state, counts, requested_by } = JSON.parse(certificate.toString()) as {
    state: string;
    counts: { kind: string; count: number }[];
    requested_by: string;
  };
  assert.deepEqual([state, requested_by], ['done', 'demo']);
  assert.ok(counts.some(({ kind, count }) => kind === 'messages' && count === 2));
  assert.ok(!certificate.includes(stored(phone).slice(3)), 'a certificate names nobody');
  await later.getByRole('link', { name: 'Personal data' }).last().click();
  await later.getByRole('row', { name: /case 17.*Archive deleted/ }).waitFor();
});

test('a number that the account sends from cannot be erased', async () => {
  const own = newPhone();
  await sql`INSERT INTO inbound_numbers (number, account_id) VALUES (${stored(own)}, ${demo.id})`;
  const page = await signedIn();
  await page.goto('/personal-data');
  await page.getByRole('combobox', { name: 'Phone numbers' }).fill(own);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('receives messages for the account').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Erase' }).isDisabled());
});

test('consents are recorded, found, checked and proved, and a change in the log shows', async () => {
  const subject = newPhone();
  const page = await signedIn();
  await page.goto('/consents');
  await page
    .getByText('The log is empty')
    .or(page.getByRole('table', { name: 'Log' }))
    .waitFor();
  await page.getByRole('button', { name: 'Record consent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone number or email address').fill('nobody');
  await dialog.getByRole('textbox', { name: 'Form', exact: true }).fill('newsletter');
  await dialog.getByLabel('Text that was shown').fill('I agree to get offers of The Shop by SMS.');
  await dialog.getByLabel('IP address').fill('192.0.2.7');
  await dialog.getByRole('button', { name: 'Record consent' }).click();
  await dialog.getByText('This is neither a phone number nor an email address.').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'consents-record');
  await onOtherScreens(page, 'consents-record');
  await dialog.getByLabel('Phone number or email address').fill(subject);
  await dialog.getByRole('button', { name: 'Record consent' }).click();
  await page.getByText('The consent was recorded.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Phone number or email address' }).fill(subject);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Current state' }).waitFor();
  await page
    .getByRole('button', { name: /^Details: entry/ })
    .first()
    .click();
  await dialog.getByText('I agree to get offers of The Shop by SMS.').waitFor();
  await dialog.getByText('192.0.2.7').waitFor();
  await keepScreenshot(page, 'consents-entry');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Check log' }).click();
  await page.getByText('The log is complete and unchanged').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'consents-found');
  await onOtherScreens(page, 'consents-found');

  await page.getByRole('button', { name: 'Signed proof' }).click();
  const save = (name: string) =>
    download(page, () => dialog.getByRole('button', { name, exact: true }).click());
  const document = await save('Document');
  const signature = await save('Signature');
  const key = await save('Public key');
  assert.match(document.toString(), /"form": "newsletter"/);
  assert.ok(verify(null, document, key.toString(), signature), 'the signature is that of the document');
  await assertAccessible(page);
  await keepScreenshot(page, 'consents-proof');
  await page.keyboard.press('Escape');
  const csv = await download(page, () => page.getByRole('link', { name: 'Export CSV' }).click());
  assert.match(csv.toString(), /newsletter/);

  await sql`UPDATE consents SET action = 'withdrawn' WHERE account_id = ${demo.id} AND position = 1`;
  await page.reload();
  await page.getByRole('button', { name: 'Check log' }).click();
  await page.getByText('Entry 1 does not match its digest').waitFor();
});

test('nobody but owners sees these pages', async () => {
  await addPerson(service, 'curious', 'sender', demo.id);
  const page = await signedIn({}, { username: 'curious', password: PASSWORD });
  for (const path of ['/personal-data', '/consents']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Consents' }).count(), 0);
  }
});
