import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { type Step, secondsOf } from '../support/keystroke-level.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The first jobs of somebody new, from the overview to the result. docs/console.md has their clicks, fields and seconds, and
 * what the page made them wait.
 */

const { service, signedIn } = await startBrowserTest();
await addPerson(service, 'jobs-operator', 'operator', null);
const operator = { username: 'jobs-operator', password: PASSWORD };

/** Whoever does a job: records clicks, filled fields and keys, and how long the page makes them wait. */
class Hand {
  readonly page: Page;
  readonly #steps: Step[] = [];
  #waitedMs = 0;

  constructor(page: Page) {
    this.page = page;
  }

  /** Clicks, fields and seconds, as the table of the docs has them. */
  get counted(): readonly number[] {
    const count = (...kinds: Step['kind'][]) =>
      this.#steps.filter((step) => kinds.includes(step.kind)).length;
    return [count('click'), count('field', 'file'), Math.round(secondsOf(this.#steps))];
  }

  get waitedSeconds(): string {
    return (this.#waitedMs / 1_000).toFixed(1);
  }

  async #waitFor(page: Promise<void>): Promise<void> {
    const began = performance.now();
    await page;
    this.#waitedMs += performance.now() - began;
  }

  /** Waits for the result of the job. */
  async sees(result: Locator): Promise<void> {
    await this.#waitFor(result.waitFor());
  }

  async click(target: Locator): Promise<void> {
    await this.#waitFor(target.click({ trial: true }));
    await target.click();
    this.#steps.push({ kind: 'click' });
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.#waitFor(target.waitFor());
    await target.fill(text);
    this.#steps.push({ kind: 'field', text });
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.#steps.push({ kind: 'key' });
  }

  async attach(target: Locator, name: string, text: string): Promise<void> {
    await target.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    this.#steps.push({ kind: 'file' });
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

const counts = new Map<string, readonly number[]>();

function job(name: string, does: (hand: Hand) => Promise<void>, who?: typeof operator): void {
  test(name, async (context) => {
    const page = await signedIn({}, who);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hand = new Hand(page);
    await does(hand);
    counts.set(name, hand.counted);
    context.diagnostic(`waited ${hand.waitedSeconds} s for the page`);
  });
}

job('Send an SMS', async (hand) => {
  const { page } = hand;
  await hand.open('Send');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Hello');
  await hand.fill(page.getByLabel('Phone numbers'), newPhone());
  await hand.button('Send');
  await hand.sees(page.getByText('Message accepted.'));
});

job('Send a campaign to the numbers of a CSV file', async (hand) => {
  const { page } = hand;
  await hand.open('Send');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Spring is here');
  await hand.click(page.getByRole('radiogroup', { name: 'Recipients from' }).getByText('A file'));
  await hand.attach(page.locator('input[type=file]'), 'spring.csv', `phone\n${newPhone()}\n${newPhone()}\n`);
  await hand.sees(page.getByText('2 numbers were imported.'));
  await hand.button('Send');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
  await hand.sees(page.getByText('Message accepted.'));
});

job('Create a chat template', async (hand) => {
  const { page } = hand;
  await hand.open('Send', 'Chat templates');
  await hand.click(page.getByRole('link', { name: 'New template' }).first());
  await hand.fill(page.getByRole('textbox', { name: 'Name', exact: true }), 'first_job');
  await hand.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Your parcel is here.');
  await hand.button('Submit for review');
  await hand.sees(page.getByText('Template submitted.'));
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
  await hand.press('Escape');
  await hand.button('Send');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
  await hand.sees(page.getByRole('heading', { level: 1, name: 'News' }));
});

job('Answer a client', async (hand) => {
  const { page } = hand;
  const shop = '972552001235';
  await service.appContext.sources.approve(service.demo.id, shop, { incoming: true });
  await service.sendFromPhone(newPhone(), shop, 'Is my parcel there?');
  await hand.open('Inbox');
  await hand.click(page.getByRole('link').filter({ hasText: 'Is my parcel there?' }));
  await hand.fill(page.getByRole('textbox', { name: 'Write a reply' }), 'Yes, until six.');
  await hand.press('Enter');
  await hand.sees(page.getByRole('listitem').filter({ hasText: 'Yes, until six.' }).first());
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
  await hand.sees(hand.page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first());
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
    await hand.sees(dialog.getByText(/password#|\/password/).first());
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
    await hand.sees(page.getByRole('article', { name: 'alpha' }));
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
  await hand.press('Enter');
  await hand.button('Find');
  await hand.button('Erase');
  const dialog = page.getByRole('dialog');
  await hand.fill(dialog.getByLabel(/to confirm/), `972${phone.slice(1)}`);
  await hand.click(dialog.getByRole('button', { name: 'Erase the data' }));
  await hand.sees(page.getByText(/Checking again|Erasing/).first());
});

after(() => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/console.md'), 'utf8');
  const row = /^\| ([^|]+) \| \d+ → (\d+) \| \d+ → (\d+) \| \d+ → (\d+) \|/gm;
  const rows = [...docs.matchAll(row)].map(([, name, ...counted]) => [name, counted.map(Number)]);
  assert.deepEqual(rows, [...counts], 'the table of docs/console.md');
});
