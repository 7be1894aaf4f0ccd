import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { withToken } from '../api/v1/calls.ts';
import { json, v1 } from '../api/v1/support.ts';
import { newClient, SOURCE } from '../channels/chat-api/support.ts';
import { jpeg, pdf, png, voiceNote } from '../modules/media/samples.ts';
import {
  assertAccessible,
  assertFits,
  keepScreenshot,
  type Language,
  startBrowserTest,
} from '../support/browser.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The handset sends pictures, documents, voice notes and places, and shows those that come to it. */

const { service, signedIn } = await startBrowserTest();
const { sql, url } = service;
const api = withToken(url, DEMO_TOKEN);
const files = v1(url, DEMO_TOKEN);

const words = {
  en: {
    phone: 'Phone number',
    add: 'Add phone',
    chat: 'Chat',
    newMessage: 'New message',
    attach: 'Attach',
    picture: 'Picture or film',
    document: 'Document',
    voice: 'Voice note',
    location: 'Location',
    place: 'Latitude, longitude',
    send: 'Send',
    image: 'Image',
    recording: /Recording, \d+ s/,
    discard: 'Discard recording',
    noMicrophone: 'There is no microphone to record with. Choose a file with a sound.',
  },
  he: {
    phone: 'מספר טלפון',
    add: 'הוספת טלפון',
    chat: "צ'אט",
    newMessage: 'הודעה חדשה',
    attach: 'צירוף',
    picture: 'תמונה או סרטון',
    document: 'מסמך',
    voice: 'הודעה קולית',
    location: 'מיקום',
    place: 'קו רוחב, קו אורך',
    send: 'שליחה',
    image: 'תמונה',
    recording: /הקלטה, \d+ שנ׳/,
    discard: 'מחיקת ההקלטה',
    noMicrophone: 'אין מיקרופון להקלטה. בחרו קובץ שמע.',
  },
} as const;

/** The handset of a client on the page of handsets, with chat open. */
async function phoneOf(page: Page, language: Language, client: string): Promise<Locator> {
  const t = words[language];
  await page.goto('/handsets');
  await page.getByLabel(t.phone, { exact: true }).fill(`+${client}`);
  await page.getByRole('button', { name: t.add }).click();
  const local = `0${client.slice(3)}`;
  const handset = page.getByRole('region', {
    name: new RegExp([local.slice(0, 3), local.slice(3, 6), local.slice(6)].join('-?')),
  });
  await handset.getByRole('button', { name: t.chat, exact: true }).click();
  return handset;
}

/** The same, about to write to the demo account's business number. */
async function writingPhone(page: Page, language: Language, client: string): Promise<Locator> {
  const handset = await phoneOf(page, language, client);
  await handset.getByRole('button', { name: words[language].newMessage }).click();
  return handset;
}

const received = (client: string, type: string) =>
  waitFor(`${type} of the phone`, async () => {
    const [row] = await sql<{ body: string; content: Record<string, unknown> }[]>`
      SELECT body, content FROM chat_incoming WHERE client = ${client} AND type = ${type}`;
    return row;
  });

/** Stored data of the file of a message of the phone. */
async function storedFile(client: string, type: string) {
  const { content } = await received(client, type);
  return waitFor('the file is stored', async () => {
    const file = await api.get<{ state: string; mime_type: string; file_name: string; size: number }>(
      `/media/${content.media_id}`,
    );
    return file.state !== 'pending' && file;
  });
}

for (const language of ['en', 'he'] as const) {
  const t = words[language];
  describe(`in ${language}`, () => {
    test('a phone sends a picture, a document and a place, by the keyboard alone, at 390 px', async () => {
      const client = newClient();
      const page = await signedIn({ language, viewport: { width: 390, height: 844 } });
      const handset = await writingPhone(page, language, client);
      const attach = handset.getByRole('button', { name: t.attach });

      /** Opens the menu and chooses by the arrow keys. */
      const choose = async (item: string) => {
        await attach.focus();
        await page.keyboard.press('Enter');
        const wanted = page.getByRole('menuitem', { name: item });
        await wanted.waitFor();
        for (let steps = 0; steps < 6; steps++) {
          if ((await page.locator(':focus').textContent())?.includes(item)) break;
          await page.keyboard.press('ArrowDown');
        }
        await page.keyboard.press('Enter');
      };
      const chooseFile = async (item: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
        const chooser = page.waitForEvent('filechooser');
        await choose(item);
        await (await chooser).setFiles(file);
      };

      await chooseFile(t.picture, { name: 'cat.png', mimeType: 'image/png', buffer: png });
      assert.deepEqual((await storedFile(client, 'image')).mime_type, 'image/png');
      // What was begun is open now, with the picture.
      const thread = handset.locator('.thread').first();
      await thread.click();
      await handset.getByRole('img', { name: t.image }).waitFor();
      await chooseFile(t.document, { name: 'order.pdf', mimeType: 'application/pdf', buffer: pdf });
      const document = await storedFile(client, 'document');
      assert.deepEqual([document.mime_type, document.file_name], ['application/pdf', 'order.pdf']);
      await handset.getByRole('link', { name: 'order.pdf' }).waitFor();

      await choose(t.location);
      const place = handset.getByLabel(t.place);
      await place.fill('91, 34.8');
      assert.ok(await handset.getByRole('button', { name: t.send, exact: true }).isDisabled());
      await place.fill('31.7683, 35.2137');
      await page.keyboard.press('Enter');
      const { content } = await received(client, 'location');
      assert.deepEqual(content, { latitude: 31.7683, longitude: 35.2137 });
      await handset.getByText('31.7683, 35.2137').waitFor();
      await assertFits(page);
      await assertAccessible(page);
      await keepScreenshot(page, `handset-files-${language}`);
    });

    test('a phone records a voice note', async () => {
      const client = newClient();
      const page = await signedIn({ language });
      await page.context().grantPermissions(['microphone']);
      const handset = await writingPhone(page, language, client);
      const begin = async () => {
        await handset.getByRole('button', { name: t.attach }).click();
        await page.getByRole('menuitem', { name: t.voice }).click();
        await handset.getByText(t.recording).waitFor();
      };
      await begin();
      await handset.getByRole('button', { name: t.discard }).click();
      await begin();
      await waitFor('a second of it', async () => {
        return /[1-9]/.test((await handset.getByText(t.recording).textContent()) ?? '');
      });
      await assertAccessible(page);
      await handset.getByRole('button', { name: t.send, exact: true }).click();
      const file = await storedFile(client, 'audio');
      assert.match(file.mime_type, /^audio\/(ogg|mp4|webm)$/);
      assert.ok(file.size > 100);
      assert.equal((await received(client, 'audio')).content.voice, true);
    });

    test('without a microphone a voice note is chosen as a file', async () => {
      const client = newClient();
      const page = await signedIn({ language });
      // The browser has one, and says no.
      await page.context().clearPermissions();
      await page.addInitScript({
        content: `navigator.mediaDevices.getUserMedia = () =>
          Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));`,
      });
      const handset = await writingPhone(page, language, client);
      const chooser = page.waitForEvent('filechooser');
      await handset.getByRole('button', { name: t.attach }).click();
      await page.getByRole('menuitem', { name: t.voice }).click();
      await (await chooser).setFiles({ name: 'note.ogg', mimeType: 'audio/ogg', buffer: voiceNote() });
      assert.equal((await storedFile(client, 'audio')).mime_type, 'audio/ogg');
      await handset.getByText(t.noMicrophone).waitFor({ state: 'detached' });
    });

    test('a phone shows a received picture, a voice note and a document', async () => {
      const client = newClient();
      const page = await signedIn({ language });
      await api.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, body: 'Hello' });
      const id = await waitFor('the conversation', async () => {
        const { conversations } = await api.get<{ conversations: { id: string }[] }>(
          `/conversations?search=${client}`,
        );
        return conversations[0]?.id;
      });
      for (const [kind, bytes, name] of [
        ['image', png, 'menu.png'],
        ['audio', voiceNote(), ''],
        ['document', pdf, 'offer.pdf'],
        ['image', jpeg(), 'broken.jpg'],
      ] as const) {
        const file = await json<{ id: string }>(files.post(`/media?kind=${kind}&file_name=${name}`, bytes));
        await api.post(`/conversations/${id}/replies`, { media: { media_id: file.id } }, 202);
      }
      const handset = await phoneOf(page, language, client);
      await handset.locator('.thread').first().click();
      const picture = handset.getByRole('img', { name: t.image });
      await waitFor('the picture is drawn', () =>
        picture.first().evaluate((img) => 'naturalWidth' in img && Number(img.naturalWidth) > 0),
      );
      await handset.locator(`audio[aria-label="${t.voice}"], a:has-text("${t.voice}")`).waitFor();
      await handset.getByRole('link', { name: 'offer.pdf' }).waitFor();
      await assertAccessible(page);
      await keepScreenshot(page, `handset-received-${language}`);
    });
  });
}
