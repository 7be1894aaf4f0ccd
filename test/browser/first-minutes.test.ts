import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { waitFor } from '../support/wait-for.ts';

const { service, signedIn } = await startBrowserTest({ SANDBOX_RECEIPT_DELAY_MS: '100' });

test('Send makes the message arrive on the phone, and its way lights up', async () => {
  const page = await signedIn();
  await page.goto('/start');
  await page.getByLabel('Text').fill('A word to the phone');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const way = page.locator('ol.way > li');
  await page.locator('ol.way > li[data-state=done]').nth(2).waitFor();
  assert.equal(await way.count(), 3);
  await page.locator('.start-phone').getByText('A word to the phone').first().waitFor();
  await page.getByText('"shipment_id"').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'first-minutes-sent-en-light');
});

test('a number that fails says why, and the request is the same in every language that is offered', async () => {
  const page = await signedIn();
  await page.goto('/start');
  await page.getByLabel('Recipient').fill('0501230001');
  for (const form of ['XML', 'JSON']) {
    await page.getByText(form, { exact: true }).click();
    for (const program of ['JavaScript', 'Python', 'PHP', 'curl']) {
      await page.getByText(program, { exact: true }).click();
      const code = await page.locator('pre').first().innerText();
      assert.ok(code.includes('0501230001') && code.includes(service.url), `${program} ${form}`);
    }
  }
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await page.locator('ol.way > li[data-state=bad]').waitFor();
  assert.match(await page.locator('ol.way > li[data-state=bad]').innerText(), /Not delivered/);
});

test('a phone answers, and what it wrote comes in', async () => {
  const page = await signedIn();
  await page.goto('/start');
  await page.getByLabel('Recipient').fill('0521111234');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  const phone = page.locator('.start-phone');
  await phone
    .getByText(/Hello from Carillon/)
    .first()
    .click();
  await phone.getByLabel('Write a message').fill('An answer from the phone');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await phone.getByText('An answer from the phone').first().waitFor();
  await waitFor('the answer has come in', async () => {
    const { sql, demo } = service;
    const [row] = await sql`SELECT text FROM incoming WHERE account_id = ${demo.id}`;
    return row?.text === 'An answer from the phone';
  });

  // A sender that is a name cannot be answered, as on a real phone.
  await page.getByLabel('Sender').fill('Carillon');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await phone.getByRole('button', { name: 'Back to conversations' }).click();
  await phone.getByText('Carillon').first().click();
  await phone.getByText('You cannot reply to a sender name').waitFor();
});

test('phones stand side by side, also on a small screen', async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  for (const path of ['/start', '/handsets', '/settings']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertFits(page);
  }
  await page.goto('/handsets');
  await page.getByLabel('Phone number').fill('hello');
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page.getByText('This is not a phone number.').waitFor();
  await page.getByLabel('Phone number').fill('+972 54-111-2222');
  await page.getByRole('button', { name: 'Add phone' }).click();
  await page
    .getByText(/054-?111-?2222/)
    .first()
    .waitFor();
  await assertAccessible(page);
});

test('all tabs send with one token that may only send, which is in no storage and is revoked at signing out', async () => {
  const page = await signedIn();
  const tokensOf = async (who: typeof page) =>
    ((await (await who.request.get('/v1/tokens')).json()) as TokenList).tokens;
  const before = await tokensOf(page);
  await page.goto('/start');
  const send = (tab: typeof page) => tab.getByRole('button', { name: 'Send', exact: true }).first();
  await page.getByRole('button', { name: 'Show token' }).waitFor();
  await page.waitForLoadState('networkidle');
  const idsOf = (tokens: TokenList['tokens']) => tokens.map(({ id }) => id);
  assert.deepEqual(idsOf(await tokensOf(page)), idsOf(before), 'nobody asked for a token yet');
  await send(page).click();
  await page.getByText('"shipment_id"').waitFor();
  await page.getByRole('button', { name: 'Show token' }).click();
  const code = page.locator('pre').first();
  const withFirst = await code.innerText();
  const other = await page.context().newPage();
  await other.goto('/start');
  await send(other).click();
  await other.getByText('"shipment_id"').waitFor();
  const made = await tokensOf(page);
  const [token, ...more] = made.filter(({ label, expired }) => label === 'Get started' && !expired);
  assert.deepEqual(more, []);
  assert.deepEqual(token?.scopes, ['send']);

  await waitFor('the token of the other tab', async () => (await code.innerText()) !== withFirst);
  await page.getByLabel('Text').fill('Sent with the other token');
  await send(page).click();
  await page.locator('.start-phone').getByText('Sent with the other token').first().waitFor();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.doesNotMatch(stored, /token/i);

  const again = await signedIn();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.ok((await tokensOf(again)).every(({ id }) => id !== token!.id));
});

interface TokenList {
  readonly tokens: readonly {
    readonly id: string;
    readonly label: string;
    readonly expired: boolean;
    readonly scopes: readonly string[];
  }[];
}
