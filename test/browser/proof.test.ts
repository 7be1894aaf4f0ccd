import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { DEMO_PASSWORD } from '../support/service.ts';

/* The dialog that asks for a proof of identity, and the request that is repeated after it. */

const { service, signedIn } = await startBrowserTest();
const { sql } = service;
const makeOld = () => sql`UPDATE sessions SET proven_at = proven_at - 300001`;
const tokens = async (label: string) =>
  (await sql`SELECT 1 FROM tokens WHERE label = ${label} AND revoked_at IS NULL`).length;

test('the console asks for the password and repeats the request that needed it', async () => {
  const page = await signedIn();
  await page.goto('/tokens');
  await makeOld();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create token' });
  await form.getByLabel('Description').fill('Proved');
  await form.getByRole('checkbox', { name: 'Read' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Your password').fill('not the password');
  await assertAccessible(page);
  await keepScreenshot(page, 'proof');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.getByText('The password is wrong.').waitFor();
  assert.equal(await tokens('Proved'), 0);
  await proof.getByLabel('Your password').fill(DEMO_PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.waitFor({ state: 'detached' });
  await page.getByText('Proved').first().waitFor();
  assert.equal(await tokens('Proved'), 1);
});

for (const { language, create, scope } of [
  { language: 'en', create: 'Create token', scope: 'Read' },
  { language: 'he', create: 'יצירת אסימון', scope: 'קריאה' },
] as const) {
  test(`a new token has no scope until one is chosen (${language})`, async () => {
    const page = await signedIn({ language });
    await page.goto('/tokens');
    await page.getByRole('button', { name: create }).first().click();
    const form = page.getByRole('dialog', { name: create });
    const submit = form.getByRole('button', { name: create });
    const scopes = form.getByRole('checkbox');
    await scopes.first().waitFor();
    assert.equal(await scopes.count(), 6);
    assert.equal(await form.getByRole('checkbox', { checked: true }).count(), 0);
    assert.equal(await submit.isDisabled(), true);
    await assertAccessible(page);
    await keepScreenshot(page, `token-scopes-${language}`);
    await form.getByRole('checkbox', { name: scope, exact: true }).check();
    assert.equal(await submit.isDisabled(), false);
  });
}

test('a cancelled dialog leaves the request refused', async () => {
  const page = await signedIn({ language: 'he' });
  await page.goto('/blacklist');
  await makeOld();
  await page.locator('a[download]').first().click();
  const proof = page.getByRole('dialog', { name: 'אימות זהות' });
  await proof.getByLabel('הסיסמה שלכם').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await proof.waitFor({ state: 'detached' });
});

test('a download waits for the proof', async () => {
  const page = await signedIn();
  await page.goto('/blacklist');
  await makeOld();
  const downloaded = page.waitForEvent('download');
  await page.locator('a[download]').first().click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Your password').fill(DEMO_PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const text = await readFile(await (await downloaded).path(), 'utf8');
  assert.match(text, /^\ufeff?phone/);
});
