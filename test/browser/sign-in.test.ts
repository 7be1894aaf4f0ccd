import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_PASSWORD } from '../support/service.ts';
import { signIn } from './forms.ts';

/* Signing in and out, and who sees what; passwords and second factors: passwords.test.ts. */

const { service, visit, signedIn } = await startBrowserTest();

test('sign-in leads to the requested page, and sign-out ends the session', async () => {
  const page = await visit();
  await page.goto('/handsets');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await assertAccessible(page);
  await signIn(page, 'demo', 'not the password');
  await page.getByText('Wrong user name or password.').waitFor();
  await signIn(page, 'demo', DEMO_PASSWORD);
  await page.getByRole('heading', { name: 'Handsets', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('in Hebrew the page is turned, and numbers are not', async () => {
  const page = await visit({ language: 'he' });
  await page.goto('/start');
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
  await page.getByLabel('שם משתמש').fill('demo');
  await page.getByRole('textbox', { name: 'סיסמה' }).fill(DEMO_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const navigation = await page.getByRole('navigation', { name: 'ניווט' }).boundingBox();
  assert.ok(navigation!.x > 640, 'the navigation is on the right');
  await page.locator('input[inputmode=tel]').first().waitFor();
  const direction = "getComputedStyle(document.querySelector('input[inputmode=tel]')).direction";
  assert.equal(await page.evaluate<string>(direction), 'ltr');
  await assertAccessible(page);
});

test('a viewer sees that content is hidden, and which role can see it', async () => {
  const { call, demo } = service;
  const sent = await call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521230099' },
    message: 'Only for senders [link-1]',
    links: { link: { $: { id: '1' }, _: 'https://shop.example.com/order?number=17' } },
  });
  const shipment = String(sent.fields.shipment_id);
  await addPerson(service, 'watcher', 'viewer', demo.id);
  const who = { username: 'watcher', password: PASSWORD };
  const page = await signedIn({}, who);
  await page.goto(`/campaigns/${shipment}`);
  await page.getByText('Message texts are hidden. The role “Sender” and higher roles see them.').waitFor();
  await page.goto(`/links/${shipment}`);
  await page.getByText('https://shop.example.com/••••••').waitFor();
  await page.getByText('Full link addresses are hidden.').waitFor();
  await assertAccessible(page);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Handsets' }).count(), 0);
  const hebrew = await signedIn({ language: 'he' }, who);
  await hebrew.goto('/messages');
  await hebrew.getByText('תוכן ההודעות: מוסתר. גלוי לתפקיד ״שולח״ ומעלה.').waitFor();
  const owner = await signedIn();
  await owner.goto('/messages');
  await owner.getByText('Only for senders').first().waitFor();
  assert.equal(await owner.getByRole('note').count(), 0);
});
