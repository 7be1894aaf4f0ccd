import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* The first jobs of somebody new, from the overview to the result. docs/console.md has their clicks and fields. */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'jobs-operator', 'operator', null);
const operator = { username: 'jobs-operator', password: PASSWORD };

/** Whoever does a job: counts clicks, and fields that are filled in. */
class Hand {
  readonly page: Page;
  #clicks = 0;
  #fields = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get counted(): string {
    return `${this.#clicks} | ${this.#fields}`;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks++;
  }

  async fill(target: Locator, text: string): Promise<void> {
    await target.fill(text);
    this.#fields++;
  }

  async attach(target: Locator, name: string, text: string): Promise<void> {
    await target.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    this.#fields++;
  }

  button(name: string, exact = true): Promise<void> {
    return this.click(this.page.getByRole('button', { name, exact }).first());
  }

  /** Opens a section of the navigation, and one of its pages. */
  async open(section: string, page?: string): Promise<void> {
    const links = (name: string) => this.page.getByRole('navigation', { name }).getByRole('link');
    await this.click(links('Navigation').filter({ hasText: section }));
    if (page !== undefined)
      await this.click(links(section).or(links('Navigation')).filter({ hasText: page }).first());
  }

  mode(name: string): Promise<void> {
    return this.click(this.page.getByRole('navigation', { name: 'Modes' }).getByRole('link', { name }));
  }
}

const counts = new Map<string, string>();

function job(name: string, does: (hand: Hand) => Promise<void>, who?: typeof operator): void {
  test(name, async () => {
    const page = await signedIn({}, who);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hand = new Hand(page);
    await does(hand);
    counts.set(name, hand.counted);
  });
}

job('Send an SMS', async (hand) => {
  const { page } = hand;
  await hand.open('Send');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Hello');
  await hand.fill(page.getByLabel('Phone numbers'), newPhone());
  await hand.button('Send');
  await page.getByText('Message accepted.').waitFor();
});

job('Send a campaign to the numbers of a CSV file', async (hand) => {
  const { page } = hand;
  await hand.open('Send');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Spring is here');
  await hand.click(page.getByRole('radiogroup', { name: 'Recipients from' }).getByText('A file'));
  await hand.attach(page.locator('input[type=file]'), 'spring.csv', `phone\n${newPhone()}\n${newPhone()}\n`);
  await page.getByText('2 numbers were imported.').waitFor();
  await hand.button('Send');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
  await page.getByText('Message accepted.').waitFor();
});

job('Create a chat template', async (hand) => {
  const { page } = hand;
  await hand.open('Send', 'Chat templates');
  await hand.click(page.getByRole('link', { name: 'New template' }).first());
  await hand.fill(page.getByRole('textbox', { name: 'Name', exact: true }), 'first_job');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Your parcel is here.');
  await hand.button('Submit for review');
  await page.getByText('Template submitted.').waitFor();
});

job('Send an email with blocks to a list', async (hand) => {
  const { page } = hand;
  await mailAt(v1At(service.url)).list([{ email: 'first-job@example.com' }], { name: 'First readers' });
  await hand.open('Send');
  await hand.click(page.getByRole('radio', { name: 'Email' }));
  await hand.fill(page.getByLabel('Subject'), 'News');
  await hand.click(page.getByRole('radiogroup', { name: 'Format' }).first().getByText('Blocks'));
  await hand.button('Start with header and footer of the account');
  await hand.fill(page.locator('[contenteditable=true]').first(), 'Good news.');
  await hand.click(page.getByRole('combobox', { name: 'Lists' }));
  await hand.click(page.getByRole('option', { name: /First readers/ }));
  await hand.fill(page.getByRole('combobox', { name: 'Sender address' }), 'news@shop.example');
  await page.keyboard.press('Escape');
  await hand.button('Send');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
  await page.getByRole('heading', { level: 1, name: 'News' }).waitFor();
});

job('Answer a client', async (hand) => {
  const { page } = hand;
  const shop = '972552001235';
  await service.appContext.sources.approve(service.demo.id, shop, { incoming: true });
  await service.sendFromPhone(newPhone(), shop, 'Is my parcel there?');
  await hand.open('Inbox');
  await hand.click(page.getByRole('link').filter({ hasText: 'Is my parcel there?' }));
  await hand.fill(page.getByRole('textbox', { name: 'Write a reply' }), 'Yes, until six.');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Yes, until six.' }).first().waitFor();
});

job('Register a webhook, and send an event again', async (hand) => {
  const { page } = hand;
  const receiver = await startReceiver();
  await hand.mode('Developers');
  await hand.open('Webhooks');
  await hand.button('Add endpoint');
  const dialog = page.getByRole('dialog');
  await hand.fill(dialog.getByRole('textbox', { name: 'URL' }), receiver.url);
  await hand.click(dialog.getByRole('button', { name: 'Register' }));
  await hand.button('Done');
  await service.call('json', 'addNumBL', { phones: { phone: [newPhone()] } });
  await waitFor('the event', () => receiver.received.length === 1);
  await hand.click(page.getByRole('button', { name: /^Details: / }).first());
  await hand.button('Send again');
  await waitFor('the event again', () => receiver.received.length === 2);
});

job('Create a token', async (hand) => {
  const form = hand.page.getByRole('dialog', { name: 'Create token' });
  await hand.mode('Developers');
  await hand.button('Create token');
  await hand.fill(form.getByLabel('Description'), 'Shop backend');
  await hand.click(form.getByRole('checkbox', { name: 'Send' }));
  await hand.click(form.getByRole('button', { name: 'Create token' }));
  await hand.page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().waitFor();
});

job(
  'Create an account and invite its owner',
  async (hand) => {
    const { page } = hand;
    await hand.open('Accounts');
    await hand.button('Create account');
    const dialog = page.getByRole('dialog');
    await hand.fill(dialog.getByLabel('User name', { exact: true }), 'first-job');
    await hand.fill(dialog.getByLabel('Name', { exact: true }), 'First job');
    await hand.click(dialog.getByRole('button', { name: 'Create' }));
    await hand.button('Invite owner');
    await hand.fill(dialog.getByLabel('Name', { exact: true }), 'Gal');
    await hand.fill(dialog.getByLabel('User name', { exact: true }), 'gal-first-job');
    await hand.click(dialog.getByRole('button', { name: 'Invite' }));
    await dialog
      .getByText(/password#|\/password/)
      .first()
      .waitFor();
  },
  operator,
);

job(
  'Add a connector',
  async (hand) => {
    const { page } = hand;
    await hand.open('Connectors');
    await hand.button('Add connector');
    const dialog = page.getByRole('dialog');
    await hand.fill(dialog.getByLabel('Name', { exact: true }), 'alpha');
    await hand.fill(dialog.getByLabel('Host'), '127.0.0.1');
    await hand.fill(dialog.getByLabel('Port'), '2775');
    await hand.fill(dialog.getByLabel('System ID'), 'carillon');
    await hand.fill(dialog.getByLabel('Password', { exact: true }), 'secret');
    await hand.click(dialog.getByRole('button', { name: 'Add connector' }));
    await page.getByRole('article', { name: 'alpha' }).waitFor();
  },
  operator,
);

job('Erase the data of a person', async (hand) => {
  const { page } = hand;
  const phone = newPhone();
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'To be erased',
  });
  assert.equal(sent.status, 0, sent.message);
  await hand.open('Settings', 'Personal data');
  await hand.fill(page.getByRole('combobox', { name: 'Phone numbers' }), phone);
  await page.keyboard.press('Enter');
  await hand.button('Find');
  await hand.button('Erase');
  const dialog = page.getByRole('dialog');
  await hand.fill(dialog.getByLabel(/to confirm/), `972${phone.slice(1)}`);
  await hand.click(dialog.getByRole('button', { name: 'Erase the data' }));
  await page
    .getByText(/Checking again|Erasing/)
    .first()
    .waitFor();
});

after(() => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/console.md'), 'utf8');
  const rows = [...docs.matchAll(/^\| ([^|]+) \| (\d+ \| \d+) \|$/gm)].map(([, name, counted]) => [
    name,
    counted,
  ]);
  assert.deepEqual(rows, [...counts], 'the table of docs/console.md');
});
