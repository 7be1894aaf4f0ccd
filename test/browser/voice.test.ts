import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, keepScreenshot, startBrowserTest } from '../support/browser.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { atEnd } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

/** A text that is read aloud: composed and heard in the page, called, and heard on the handset. */
const folder = await mkdtemp(join(tmpdir(), 'carillon-voice-pages-'));
const { service, signedIn } = await startBrowserTest({
  DATA_DIR: folder,
  SANDBOX_RING_MS: '20',
  VOICE_PAUSE_MS: '200',
});
atEnd(() => rm(folder, { recursive: true, force: true }));
await service.appContext.prices.set(0, 'voice', '', '0.5');
await addPerson(service, 'voice-operator', 'operator', null);

async function compose(page: Page, phone: string, text: string): Promise<void> {
  await page.goto('/send');
  await page.getByRole('radio', { name: 'Call', exact: true }).click();
  await page.getByRole('combobox', { name: 'Sender' }).or(page.getByLabel('Sender')).first().fill('Shop');
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByLabel('Phone numbers').fill(phone);
}

/** What an <audio> element has loaded, in seconds; fails when the policy or the service does not let it. */
const loaded = (page: Page, name: RegExp) =>
  page
    .getByLabel(name)
    .first()
    .evaluate(
      (audio) =>
        new Promise<number>((resolve, reject) => {
          const element = audio as unknown as {
            load(): void;
            preload: string;
            duration: number;
            readyState: number;
            addEventListener(type: string, heard: () => void): void;
          };
          element.addEventListener('error', () => reject(new Error('the recording did not load')));
          element.addEventListener('loadedmetadata', () => resolve(element.duration));
          element.preload = 'auto';
          element.load();
        }),
    );

test('a text is composed with a voice, heard before, called, and heard on the handset', async () => {
  const page = await signedIn();
  const phone = '0521230033';
  await compose(page, phone, 'Your code is 4829');
  await page.getByRole('combobox', { name: 'Repeat' }).click();
  await page.getByRole('option', { name: 'Once' }).click();
  await page.getByText('Your code is four, eight, two, nine').waitFor();
  const estimate = page.getByRole('region', { name: 'Before you send' });
  await estimate.getByText('Price per answered call').waitFor();
  await page.getByRole('button', { name: 'Listen' }).click();
  await page.getByLabel('Audio preview').waitFor();
  assert.ok((await loaded(page, /Audio preview/)) > 1);
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'send-voice-en-light');

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Heard to the end').waitFor();
  await page.getByText('Answered', { exact: true }).waitFor();
  await page.getByText(/s were heard/).waitFor();
  await page.getByText('Read aloud once.').waitFor();
  await page.getByRole('button', { name: 'Listen' }).click();
  assert.ok((await loaded(page, /Audio preview/)) > 1);
  await assertAccessible(page);
  await keepScreenshot(page, 'message-voice-en-light');

  await page.goto('/handsets');
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Add phone' }).click();
  const handset = page.getByRole('region', { name: /Phone 052-?123-?0033/ });
  await handset.getByRole('button', { name: 'Calls' }).click();
  await handset.getByText('Your code is 4829').waitFor();
  assert.ok((await loaded(page, /Recording of/)) > 1);
  await handset.getByLabel('Call a number').fill('03-700-0000');
  await handset.getByRole('button', { name: 'Call', exact: true }).click();
  await handset.getByText(/^The call was declined/).waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'handset-calls-en-light');
});

test('a call that is not heard says why in words of the telephone, and calls are searched for', async () => {
  const page = await signedIn();
  await compose(page, '0521230003', 'Nobody wants this');
  await page.getByText('Nobody wants this').nth(1).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Declined', { exact: true }).waitFor();
  await page.getByText('The recipient declined the call, or does not accept calls of this kind.').waitFor();
  await page.goto('/messages?channel=voice');
  await page
    .getByRole('row')
    .filter({ hasText: /052-?123-?0003/ })
    .first()
    .waitFor();
});

test('in Hebrew, dark, and on a small screen', async () => {
  const page = await signedIn({ language: 'he', theme: 'dark', viewport: { width: 390, height: 844 } });
  await page.goto('/send?channel=voice');
  await page.getByLabel('טקסט', { exact: true }).fill('הקוד שלך הוא 4829');
  await page.getByText('הקוד שלך הוא ארבע, שמונה, שתיים, תשע').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  await keepScreenshot(page, 'send-voice-he-dark-phone');
});

test('an operator sees the trunk with its calls', async () => {
  const page = await signedIn({}, { username: 'voice-operator', password: PASSWORD });
  await page.goto('/operator/network');
  const trunk = page.getByRole('article', { name: 'sandbox-voice' });
  await trunk.getByText('Up', { exact: true }).waitFor();
  await trunk.getByText('0 of 100').waitFor();
  await assertAccessible(page);
  await keepScreenshot(page, 'operator-trunks-en-light');
});

test('a call that waits for its next attempt is retried immediately, in both languages, until no attempts remain', async () => {
  const sent = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521230001' },
    message: 'Nobody answers',
    tts: { type: 4, repeat: 1 },
  });
  assert.equal(sent.status, 0, sent.message);
  // The next attempt is within minutes: it would come by itself.
  const putOff = (attempt: number) =>
    waitFor(`attempt ${attempt} waits`, async () => {
      const { count } = await service.sql`
        UPDATE dispatch_batches SET due_at = due_at + 3600000 WHERE channel = 3 AND attempt = ${attempt}`;
      return count === 1;
    });
  const [message] = await service.sql<{ id: number }[]>`
    SELECT id FROM messages WHERE recipient = '972521230001' AND channel = 3`;
  for (const [attempt, language, button] of [
    [1, 'en', 'Retry now'],
    [2, 'he', 'לנסות עכשיו'],
  ] as const) {
    await putOff(attempt);
    const page = await signedIn({ language });
    await page.goto(`/messages/${message!.id}`);
    const retry = page.getByRole('button', { name: button });
    await retry.waitFor();
    await keepScreenshot(page, `message-retry-${language}-light`);
    await retry.click();
    await page
      .getByText(language === 'en' ? 'The message is retried now.' : 'ההודעה נשלחת עכשיו שוב.')
      .waitFor();
    if (attempt === 1) continue;
    await page.getByText('נכשלה').or(page.getByText('נכשל')).first().waitFor();
    assert.equal(await retry.count(), 0);
  }
});
