import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { v1At } from '../channels/mail/campaign-support.ts';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { waitFor } from '../support/wait-for.ts';
import { signIn } from './forms.ts';

/* Second factors and passwords, as people set and change them in the console. */

const { service, visit, signedIn } = await startBrowserTest();

test('a second factor is turned on, asked for, and replaced by a recovery code once', async () => {
  await addPerson(service, 'careful', 'owner', service.demo.id);
  const page = await signedIn({}, { username: 'careful', password: PASSWORD });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Set up second factor' }).click();
  await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('img', { name: 'QR code with the key' }).waitFor();
  await assertAccessible(page);
  const key = (await page.getByText(/^[A-Z2-7 ]{20,}$/).innerText()).replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  // By the clock of the machine, as the service has it for codes; the next one is right already.
  const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Code', { exact: true }).fill(codeAt(0));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText('Your recovery codes').waitFor();
  const [recovery] = /[a-z0-9]{4,}(?:-[a-z0-9]{4,})+/.exec(await page.getByRole('dialog').innerText())!;
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('On', { exact: true }).waitFor();

  const other = await visit();
  await other.goto('/settings');
  await signIn(other, 'careful', PASSWORD);
  await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await other.getByLabel('Code from your authenticator app').fill('000000');
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('Wrong code.').waitFor();
  await other.getByLabel('Code from your authenticator app').fill(codeAt(1));
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByRole('heading', { name: 'Your settings', level: 1 }).waitFor();

  async function recover(): Promise<Page> {
    const again = await visit();
    await again.goto('/settings');
    await signIn(again, 'careful', PASSWORD);
    await again.getByLabel('Code from your authenticator app').fill(recovery);
    await again.getByRole('button', { name: 'Confirm' }).click();
    return again;
  }
  await (await recover()).getByRole('heading', { name: 'Your settings', level: 1 }).waitFor();
  await (await recover()).getByText('Wrong code.').waitFor();
});

/** The code that a phone shows; its clock is the machine's. */
const codeOf = (key: string) => new TOTP({ secret: Secret.fromBase32(key) }).generate();

test('a second factor that is required of everybody is set up at the next click', async () => {
  const team = await service.addAccount({ username: 'team' }, 0);
  await addPerson(service, 'team-owner', 'owner', team.id);
  await addPerson(service, 'team-sender', 'sender', team.id);
  const sender = await signedIn({}, { username: 'team-sender', password: PASSWORD });
  await sender.goto('/contacts');
  await sender.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();

  const owner = await signedIn({}, { username: 'team-owner', password: PASSWORD });
  await owner.goto('/people');
  await owner.getByText('Set up your own second factor first.').waitFor();
  const headers = { 'X-Carillon-CSRF': '1' };
  const proposed = await owner.request.post('/v1/session/second-factor', {
    headers,
    data: { password: PASSWORD },
  });
  const { secret } = (await proposed.json()) as { secret: string };
  await owner.request.post('/v1/session/second-factor/confirm', { headers, data: { code: codeOf(secret) } });
  await owner.reload();
  await owner.getByText('One person has no second factor yet.').waitFor();
  await owner.getByRole('switch', { name: 'Require a second factor' }).click();
  await owner.getByRole('button', { name: 'Require', exact: true }).click();
  await owner.getByText('A second factor is now required for everyone.').waitFor();
  await assertAccessible(owner);
  await keepScreenshot(owner, 'people-second-factor-required');

  // Not Playwright's click, which waits for the link: a request that the page makes by itself may have come first.
  await sender.evaluate(`document.querySelector('nav a[href="/messages"]')?.click()`);
  await sender.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await assertAccessible(sender);
  await keepScreenshot(sender, 'second-factor-first');
  await sender.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await sender.getByRole('button', { name: 'Next' }).click();
  await sender.getByRole('img', { name: 'QR code with the key' }).waitFor();
  await assertFits(sender);
  const key = (await sender.getByText(/^[A-Z2-7 ]{20,}$/).innerText()).replaceAll(' ', '');
  await keepScreenshot(sender, 'second-factor-first-scan');
  await sender.getByLabel('Code', { exact: true }).fill(codeOf(key));
  await sender.getByRole('button', { name: 'Turn on', exact: true }).click();
  await sender.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await keepScreenshot(sender, 'second-factor-first-codes');
  await sender.getByRole('button', { name: 'I have saved them' }).click();
  // The page stays if a request that it made by itself came first.
  await sender.getByRole('heading', { name: /^(?:Messages|Contacts)$/, level: 1 }).waitFor();
  await sender.goto('/settings');
  await sender.getByText('It is required for everyone here').waitFor();
  assert.equal(await sender.getByRole('button', { name: 'Turn off' }).count(), 0);
});

const v1 = v1At(service.url);
/** Path of the link in the latest email to an address, when there are so many. */
const linkIn = async (address: string, emails: number) => {
  const text = await waitFor(`email ${emails} to ${address}`, async () => {
    const { body } = await v1('GET', `sandbox/mailboxes/${address}`);
    const mails = body.mails as { text: string }[];
    return mails.length >= emails && mails.map((mail) => mail.text);
  });
  const links = text.map((one) => /\/password#[\w-]{43}/.exec(one)![0]);
  return links;
};

for (const texts of [
  {
    language: 'en',
    overview: 'Overview',
    password: 'New password',
    repeat: 'Repeat the new password',
    set: 'Set password',
    forgot: 'Forgot password?',
    username: 'User name',
    send: 'Send link',
    sent: 'the link is on its way',
    whom: 'Ask an owner of your account for a link',
    code: 'Enter your code',
  },
  {
    language: 'he',
    overview: 'מבט על',
    password: 'סיסמה חדשה',
    repeat: 'אימות הסיסמה החדשה',
    set: 'קביעת הסיסמה',
    forgot: 'שכחתם סיסמה?',
    username: 'שם משתמש',
    send: 'שליחת קישור',
    sent: 'הקישור בדרך',
    whom: 'בקשו מבעל החשבון שלכם קישור',
    code: 'הזנת קוד',
  },
] as const) {
  test(`an invitation and a link for a forgotten password arrive by email and sign in (${texts.language})`, async () => {
    const { language } = texts;
    const address = `new-${language}@example.com`;
    const owner = await signedIn();
    const added = await owner.request.post('/v1/people', {
      data: { username: address, name: 'New', role: 'sender', language },
      headers: { 'X-Carillon-CSRF': '1' },
    });
    const { link } = (await added.json()) as { link: { token: string; mailed_to: string | null } };
    assert.equal(link.mailed_to, address);
    const [invitation] = await linkIn(address, 1);
    assert.equal(invitation, `/password#${link.token}`);

    const choose = async (page: Page, password: string) => {
      await page.getByRole('textbox', { name: texts.password, exact: true }).fill(password);
      await page.getByRole('textbox', { name: texts.repeat }).fill(password);
      await page.getByRole('button', { name: texts.set }).click();
    };
    const page = await visit({ language });
    await page.goto(invitation!);
    await choose(page, 'a first password of tests');
    await page.getByRole('heading', { name: texts.overview, level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
    assert.equal(new URL(page.url()).hash, '');

    const other = await visit({ language });
    await other.goto('/');
    await other.getByLabel(texts.username).fill(address);
    await other.getByRole('button', { name: texts.forgot }).click();
    await other.getByRole('button', { name: texts.send }).waitFor();
    await assertAccessible(other);
    await assertFits(other);
    await keepScreenshot(other, `forgotten-password-${language}`);
    await other.getByRole('button', { name: texts.send }).click();
    await other.getByText(texts.sent).waitFor();
    await keepScreenshot(other, `forgotten-password-sent-${language}`);
    const links = await linkIn(address, 2);
    await other.goto(links.find((one) => one !== invitation)!);
    await choose(other, 'a second password of tests');
    await other.getByRole('heading', { name: texts.overview, level: 1 }).waitFor();

    // A service without a relay says whom to ask.
    const without = await visit({ language });
    await without.route('**/v1/session/forgotten-password', (route) =>
      route.fulfill({ json: { by_mail: false } }),
    );
    await without.goto('/');
    await without.getByRole('button', { name: texts.forgot }).click();
    await without.getByText(texts.whom).waitFor();
    assert.equal(await without.getByRole('button', { name: texts.send }).count(), 0);
    await assertAccessible(without);
  });

  test(`choosing a password leads to the second factor of a person who has one (${texts.language})`, async () => {
    const username = `factor-${texts.language}`;
    const person = await addPerson(service, username, 'sender', service.demo.id);
    const page = await signedIn({}, { username, password: PASSWORD });
    const headers = { 'X-Carillon-CSRF': '1' };
    const proposed = await page.request.post('/v1/session/second-factor', {
      headers,
      data: { password: PASSWORD },
    });
    const { secret } = (await proposed.json()) as { secret: string };
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.request.post('/v1/session/second-factor/confirm', {
      headers,
      data: { code: totp.generate() },
    });
    const { people } = service.appContext.people;
    const link = await people.reset(service.demo.id, person.id, { secondFactor: false });
    const other = await visit({ language: texts.language });
    await other.goto(`/password#${link!.token}`);
    await other.getByRole('textbox', { name: texts.password, exact: true }).fill('a third password of tests');
    await other.getByRole('textbox', { name: texts.repeat }).fill('a third password of tests');
    await other.getByRole('button', { name: texts.set }).click();
    await other.getByRole('heading', { name: texts.code }).waitFor();
  });
}

for (const texts of [
  {
    language: 'en',
    none: 'Nobody can sign in to this account yet',
    invite: 'Invite owner',
    name: 'Name',
    username: 'User name',
    submit: 'Invite',
    until: 'Valid until',
    mailed: 'The invitation was sent to',
    done: 'Done',
    owner: 'Account owner',
  },
  {
    language: 'he',
    none: 'עדיין אין מי שיכול להיכנס לחשבון הזה',
    invite: 'הזמנת בעל החשבון',
    name: 'שם',
    username: 'שם משתמש',
    submit: 'שליחת הזמנה',
    until: 'בתוקף עד',
    mailed: 'ההזמנה נשלחה אל',
    done: 'סיום',
    owner: 'בעל החשבון',
  },
] as const) {
  test(`an operator invites the owner of a new account (${texts.language})`, async () => {
    const { language } = texts;
    const username = `inviting-${language}`;
    await addPerson(service, username, 'operator', null);
    const account = await service.addAccount({ username: `fresh-${language}`, name: 'Fresh shop' }, 0);
    const page = await signedIn({ language }, { username, password: PASSWORD });
    await page.goto(`/operator/accounts/${account.id}`);
    await page.getByText(texts.none).waitFor();
    await page.getByRole('button', { name: texts.invite }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.name, { exact: true }).fill('Gal');
    await dialog.getByLabel(texts.username, { exact: true }).fill(`gal-${language}@example.com`);
    await dialog.getByRole('button', { name: texts.submit }).click();
    await dialog.getByText(texts.mailed).waitFor();
    await assertAccessible(page);
    await keepScreenshot(page, `invite-owner-${language}`);
    await dialog.getByRole('button', { name: texts.done }).click();
    const row = page.getByRole('row').filter({ hasText: 'Gal' });
    await row.getByText(texts.owner, { exact: true }).waitFor();
    await assertFits(page);
    await keepScreenshot(page, `account-people-${language}`);
    const [link] = await linkIn(`gal-${language}@example.com`, 1);
    const owner = await visit({ language });
    await owner.goto(link!);
    await owner.locator('input[type=password]').first().fill('a password of an owner');
    await owner.locator('input[type=password]').last().fill('a password of an owner');
    await owner.keyboard.press('Enter');
    await owner.getByRole('region').first().waitFor();
    const session = await owner.request.get('/v1/session');
    const { role, account: own } = (await session.json()) as { role: string; account: { username: string } };
    assert.deepEqual([role, own.username], ['owner', `fresh-${language}`]);
  });
}

test('a changed password ends the sessions elsewhere', async () => {
  await addPerson(service, 'changer', 'sender', service.demo.id);
  const who = { username: 'changer', password: PASSWORD };
  const page = await signedIn({}, who);
  const elsewhere = await signedIn({}, who);
  await elsewhere.goto('/handsets');
  await elsewhere.getByRole('heading', { name: 'Handsets', level: 1 }).waitFor();
  await page.goto('/settings');
  await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('another password of tests');
  await page.getByRole('textbox', { name: 'Repeat the new password' }).fill('another password of tests');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').waitFor();
  await elsewhere.goto('/settings');
  await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('an owner sets the password that programs sign in with, and that of a subscriber', async () => {
  const shop = await service.addAccount({ username: 'shop' }, 0);
  const branch = await service.addAccount({ username: 'shop-branch', name: 'Branch', parentId: shop.id }, 0);
  await addPerson(service, 'shop-owner', 'owner', shop.id);
  await service.sql`UPDATE accounts SET password_weak = true WHERE id = ${shop.id}`;
  const page = await signedIn({}, { username: 'shop-owner', password: PASSWORD });
  const status = async (username: string, password: string) =>
    (await service.call('json', 'balance', { user: { username, password } }, { token: null })).status;

  async function setPassword(password: string): Promise<void> {
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('textbox', { name: 'New password of the account' }).fill(password);
    await page.getByRole('textbox', { name: 'Repeat the new password' }).fill(password);
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
  }

  await page.goto('/tokens');
  await page.getByText('The password is weak').waitFor();
  await setPassword('a password of programs');
  await page.getByText('The password is weak').waitFor({ state: 'detached' });
  await assertAccessible(page);
  await keepScreenshot(page, 'program-password');
  assert.equal(await status('shop', 'a password of programs'), 3);
  await page.getByRole('switch', { name: 'Allow sign-in with this password' }).click();
  await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('switch', { name: 'Allow sign-in with this password', checked: true }).waitFor();
  assert.equal(await status('shop', 'a password of programs'), 0);

  await page.goto(`/subscribers/${branch.id}`);
  await page.getByRole('button', { name: 'Actions for Branch' }).click();
  await page.getByRole('menuitem', { name: 'Password for programs' }).click();
  await setPassword('a password of the branch');
  await keepScreenshot(page, 'program-password-of-subscriber');
  const [{ set } = {}] = await service.sql<{ set: boolean }[]>`
    SELECT password_hash IS NOT NULL AS set FROM accounts WHERE id = ${branch.id}`;
  assert.equal(set, true);
});
