import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startBrowserTest } from '../support/browser.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* The main jobs of the console without a mouse: Tab, Enter, the arrow keys and what is typed. */

const { service, signedIn } = await startBrowserTest();

/** More than the elements of a page that take the focus. */
const MAX_TABS = 120;

/** Moves the focus to an element with Tab, as somebody does who sees where it is. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${MAX_TABS} Tabs do not lead to ${target}`);
}

async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function write(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

test('an SMS is written, sent and followed', async () => {
  const page = await signedIn();
  await page.goto('/');
  await heading(page, 'Overview');
  await enter(page, section(page, 'Send'));
  await heading(page, 'Send');
  await write(page, page.getByRole('textbox', { name: 'Text', exact: true }), 'By the keyboard alone');
  const phone = newPhone();
  await write(page, page.getByLabel('Phone numbers'), phone);
  await enter(page, page.getByRole('button', { name: 'Send', exact: true }));
  await page.getByText('Message accepted.').waitFor();
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  const [sms] = await service.phone(phone);
  assert.equal(sms!.text, 'By the keyboard alone');
});

test('a message that failed is found, and its reason is read', async () => {
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521230001' },
    message: 'For nobody',
  });
  assert.equal(sent.status, 0, sent.message);
  const page = await signedIn();
  await page.goto('/');
  await heading(page, 'Overview');
  await enter(page, section(page, 'Messages'));
  await heading(page, 'Messages');
  await enter(page, page.getByRole('row', { name: /For nobody/ }).getByRole('link'));
  await page.getByRole('heading', { level: 2, name: /Message to/ }).waitFor();
  await page.getByRole('note').or(page.getByRole('alert')).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 2, name: /Message to/ }).waitFor({ state: 'detached' });
});

test('a conversation is opened and answered', async () => {
  const phone = newPhone();
  const shop = '972552001234';
  await service.appContext.sources.approve(service.demo.id, shop, { incoming: true });
  await service.sendFromPhone(phone, shop, 'Are you open on Friday?');
  const page = await signedIn();
  await page.goto('/');
  await heading(page, 'Overview');
  await enter(page, section(page, 'Inbox'));
  await enter(page, page.getByRole('link').filter({ hasText: 'Are you open on Friday?' }));
  await write(page, page.getByRole('textbox', { name: 'Write a reply' }), 'Until 13:00');
  await page.keyboard.press('Enter');
  await waitFor('the answer', async () =>
    (await service.phone(phone)).some(({ text }) => text === 'Until 13:00'),
  );
});

test('a contact list is created', async () => {
  const page = await signedIn();
  await page.goto('/');
  await heading(page, 'Overview');
  await enter(page, section(page, 'Audience'));
  await heading(page, 'Recipients');
  await enter(page, page.getByRole('link', { name: 'Contacts', exact: true }));
  await heading(page, 'Contacts');
  await enter(page, page.getByRole('button', { name: 'New list' }).first());
  const dialog = page.getByRole('dialog');
  await write(page, dialog.getByRole('textbox', { name: 'Name', exact: true }), 'Keyboard club');
  await enter(page, dialog.getByRole('button', { name: 'Create list' }));
  await heading(page, 'Keyboard club');
});

test('a token is created', async () => {
  const page = await signedIn();
  await page.goto('/');
  await heading(page, 'Overview');
  await enter(
    page,
    page.getByRole('navigation', { name: 'Modes' }).getByRole('link', { name: 'Developers' }),
  );
  await heading(page, 'Tokens');
  await enter(page, page.getByRole('button', { name: 'Create token' }).first());
  const form = page.getByRole('dialog', { name: 'Create token' });
  await write(page, form.getByLabel('Description'), 'Keyboard');
  await tabTo(page, form.getByRole('checkbox', { name: 'Read' }));
  await page.keyboard.press('Space');
  await enter(page, form.getByRole('button', { name: 'Create token' }));
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().waitFor();
});
