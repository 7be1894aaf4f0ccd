import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  type Look,
  startBrowserTest,
} from '../support/browser.ts';
import { addPerson, PASSWORD, signedIn } from '../support/console.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';

/* Passkeys by an authenticator of Chromium, and single sign-on at a real provider with pages of its own. */

const { service, visit, signedIn: pageOf } = await startBrowserTest();
const idp = await startIdentityProvider();
/** Passkeys need a host name. */
const host = `http://localhost:${new URL(service.url).port}`;
const PHONE = { width: 390, height: 844 };

/** A window with an authenticator that verifies its user and keeps passkeys. */
async function withAuthenticator(look?: Look): Promise<Page> {
  const page = await visit(look);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

test('a passkey is added, signs in alone and after a password, and is removed', async () => {
  await addPerson(service, 'keeper', 'owner', service.demo.id);
  const page = await withAuthenticator();
  await page.goto(`${host}/settings`);
  await signIn(page, 'keeper');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('textbox', { name: 'Confirm with your password' }).fill(PASSWORD);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('Your recovery codes').waitFor();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('cell', { name: /^Work laptop/ }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'passkeys');
  await page.setViewportSize(PHONE);
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 860 });

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'sign-in-ways');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Your settings', level: 1 }).waitFor();

  await signOut(page);
  await signIn(page, 'keeper');
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Your settings', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Actions for Work laptop' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('textbox', { name: 'Confirm with your password' }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No passkeys yet').waitFor();
});

test('a passkey is set up where a second factor is required, and a missing one shows an error', async () => {
  const team = await service.addAccount({ username: 'keys' }, 0);
  await addPerson(service, 'key-sender', 'sender', team.id);
  await service.appContext.people.rules.change(team.id, { secondFactorDemanded: true }, async () => {});
  const page = await withAuthenticator();
  await page.goto(`${host}/contacts`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The browser gave no passkey.').waitFor();
  await signIn(page, 'key-sender');
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.getByText('Passkey', { exact: true }).click();
  await assertAccessible(page);
  await keepScreenshot(page, 'second-factor-first-passkey');
  await page.getByLabel('Name').fill('Phone');
  await page.getByRole('textbox', { name: 'Confirm with your password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
});

/** Signs in at the page of the provider, which the browser has been sent to. */
async function atProvider(page: Page, subject: string): Promise<void> {
  await page.getByRole('heading', { name: 'Test provider' }).waitFor();
  assert.equal(new URL(page.url()).origin, idp.issuer);
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('single sign-on is set up by an owner, and brings people in, back to their page, and out', async () => {
  await addPerson(service, 'sso-owner', 'owner', service.demo.id);
  idp.addClient('carillon', {
    redirect_uris: [`${service.url}/sign-in/acme/callback`],
    post_logout_redirect_uris: [`${service.url}/`],
  });
  idp.people.set('dana', {
    name: 'Dana Levi',
    groups: ['senders'],
    email: 'dana@acme.example',
    email_verified: true,
  });
  idp.people.set('guest', { name: 'Guest', groups: [] });
  const owner = await pageOf({}, { username: 'sso-owner', password: PASSWORD });
  await owner.goto('/people');
  await owner.getByRole('button', { name: 'Add provider' }).click();
  const form = owner.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Acme');
  await form.getByLabel('Short name').fill('acme');
  await form.getByLabel('Issuer').fill(idp.issuer);
  await form.getByLabel('Client ID').fill('carillon');
  await form.getByRole('textbox', { name: 'Client secret' }).fill('secret-of-carillon');
  await form.getByRole('button', { name: 'Add rule' }).click();
  await form.getByLabel('Claim').fill('groups');
  await form.getByLabel('Value', { exact: true }).fill('senders');
  await form.getByLabel('Role').selectOption('sender');
  await assertAccessible(owner);
  await keepScreenshot(owner, 'provider-form');
  await form.getByRole('button', { name: 'Add provider' }).click();
  await owner.getByText('Provider added.').waitFor();
  await owner.getByRole('button', { name: 'Actions for Acme' }).click();
  await owner.getByRole('menuitem', { name: 'Edit' }).click();
  await owner.getByText(`${service.url}/sign-in/acme/callback`).waitFor();
  await assertAccessible(owner);
  await keepScreenshot(owner, 'provider-addresses');
  await owner.setViewportSize(PHONE);
  await assertFits(owner);
  await owner.getByRole('button', { name: 'Cancel' }).click();
  await assertFits(owner);
  await keepScreenshot(owner, 'people-phone');

  const page = await visit();
  await page.goto('/sign-in/acme');
  await atProvider(page, 'dana');
  await page.getByRole('button', { name: 'Your menu' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
  await signOut(page);
  await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.goto('/sign-in/acme');
  await atProvider(page, 'guest');
  await page.getByText('You have no access here.').waitFor();
  await assertAccessible(page);
  await owner.reload();
  await owner.getByText('no rule of the provider').waitFor();
});

test('a mail address leads to single sign-on, which asks for the second factor of the person', async () => {
  await addPerson(service, 'sso-operator', 'operator', null);
  const operator = await signedIn(service, 'sso-operator');
  idp.addClient('by-mail', { redirect_uris: [`${service.url}/sign-in/by-mail/callback`] });
  idp.people.set('noa', { groups: [], email: 'noa@mail.example', email_verified: true });
  await operator.ask('POST', '/operator/sign-in-providers', {
    slug: 'by-mail',
    name: 'House',
    issuer: idp.issuer,
    client_id: 'by-mail',
    client_secret: 'secret-of-by-mail',
    domains: ['mail.example'],
    rules: [{ claim: 'email_domain', value: 'mail.example', role: 'sender', account: 'demo' }],
  });
  const page = await visit({ language: 'he', viewport: PHONE });
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'המשך עם House' }).waitFor();
  await page.getByRole('button', { name: 'כניסה עם SSO' }).click();
  await assertFits(page);
  await assertAccessible(page);
  await keepScreenshot(page, 'sign-in-ways-he');
  await page.getByLabel('דוא״ל בעבודה').fill('somebody@elsewhere.example');
  await page.getByRole('button', { name: 'המשך', exact: true }).click();
  await page.getByText('לא ידועה כניסה ארגונית לכתובת הזאת.').waitFor();
  await page.getByLabel('דוא״ל בעבודה').fill('noa@mail.example');
  await page.getByRole('button', { name: 'המשך', exact: true }).click();
  await atProvider(page, 'noa');
  await page.getByRole('heading', { name: 'אנשי קשר', level: 1 }).waitFor();

  // The provider told no time of its sign-in, so that a second factor is set up only after another proof.
  await service.sql`UPDATE sessions SET proven_at = ${Date.now()} WHERE person_id = (SELECT max(id) FROM people)`;
  const headers = { 'X-Carillon-CSRF': '1' };
  const proposed = await page.request.post('/v1/session/second-factor', { headers, data: {} });
  const totp = new TOTP({
    secret: Secret.fromBase32(((await proposed.json()) as { secret: string }).secret),
  });
  const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await page.request.post('/v1/session/second-factor/confirm', { headers, data: { code: codeAt(0) } });

  const again = await visit();
  await again.goto('/contacts');
  await again.getByRole('button', { name: 'Continue with House' }).click();
  await atProvider(again, 'noa');
  await again.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await assertAccessible(again);
  await keepScreenshot(again, 'prove-factor');
  await again.getByLabel('Code from your authenticator app').fill(codeAt(1));
  await again.getByRole('button', { name: 'Confirm' }).click();
  await again.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
});
